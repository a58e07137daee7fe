-- Written by hand: what was kept long enough is found without reading what is kept.
CREATE INDEX "webhook_delivery_over" ON "webhook_delivery" ("completed_at") WHERE "status" <> 'pending';
CREATE INDEX "outgoing_mail_over" ON "outgoing_mail" (coalesce("sent_at", "created_at")) WHERE "status" <> 'pending' AND "recipient" <> '';

-- The dispatcher removes it.
GRANT DELETE ON "webhook_delivery", "webhook_attempt" TO "incassa_dispatcher";
