-- What an instance of the release before "chain and coin" held, by the columns that it had. Ids come from the sequences: 1, 2, …
INSERT INTO user_account (name, email, password_hash, is_admin, tolerance_basis_points) VALUES
  ('Bottega Marani', 'marani@example.com', 'hash-1', false, 50),
  ('Gestore', 'gestore@example.com', 'hash-2', true, 0);
INSERT INTO session (id, user_id, expires_at) VALUES ('00000000-0000-4000-8000-000000000001', 1, '2030-01-01Z');
INSERT INTO rate_limit VALUES ('login:1', 3, 1900000000000);
INSERT INTO api_key (user_id, name, webhook_url, key_hash, key_mask, key_sealed, secret_sealed)
  VALUES (1, 'Negozio', 'https://negozio.example/hook', repeat('a', 64), 'inc_live_a', '\x01', '\x02');
INSERT INTO api_key_audit (api_key_id, user_id, action) VALUES (1, 1, 'reveal');

-- Public keys of "test test test test test test test test test test test junk", with the addresses that belong to them.
INSERT INTO instance_seed (network, seal_id, sealed, wrapped_key, kek_version)
  VALUES ('mainnet', '00000000-0000-4000-8000-000000000002', '\x03', '\x04', 1);
INSERT INTO watch_key (family, purpose, path, public_key) VALUES
  ('EVM', 'primary', 'm/44''/60''/0''', 'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP'),
  ('EVM', 'invoice', 'm/44''/60''/1''', 'xpub6Ce9NcJvTk372KjsGfWqbcex5DumjpNquQLApoeQUavSCjEc823BV1tb4rXUuPuht8h2hSxkg2EXUaKUJmniJvRZAELxypsCzBFdtosmV76');
INSERT INTO pool_generation VALUES ('EVM', 3);
INSERT INTO pool_address (watch_key_id, family, purpose, derivation_index, address, generation, claimed_at) VALUES
  (1, 'EVM', 'primary', 0, '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', 1, '2026-11-01Z'),
  (2, 'EVM', 'invoice', 0, '0x8c8d35429f74ec245f8ef2f4fd1e551cff97d650', 1, '2026-11-18 10:00Z'),
  (2, 'EVM', 'invoice', 1, '0x40fbbe484b8ee6139af08446950b088e10b2306a', 1, '2026-11-18 11:00Z'),
  (2, 'EVM', 'invoice', 2, '0x2b382887d362ccae885a421c978c7e998d3c95a6', 2, '2026-11-18 10:30Z'),
  (2, 'EVM', 'invoice', 3, '0x9bf4bee5bfbebb3a4b7060dae40ca6fd49305d60', 2, NULL),
  (2, 'EVM', 'invoice', 4, '0xa7580f28d5304b55594cfc1907f36d91b3d77ce5', 3, NULL),
  (1, 'EVM', 'primary', 1, '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', 3, NULL);
INSERT INTO wallet (user_id, coin, type, pool_address_id, address, tag) VALUES
  (1, 'ETH', 'primary', 1, '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', 'Cassa'),
  (1, 'ETH', 'invoice', 2, '0x8c8d35429f74ec245f8ef2f4fd1e551cff97d650', NULL),
  (1, 'ETH', 'invoice', 3, '0x40fbbe484b8ee6139af08446950b088e10b2306a', NULL),
  (1, 'ETH', 'invoice', 4, '0x2b382887d362ccae885a421c978c7e998d3c95a6', NULL);

-- Invoices: 1 paid, 2 paid and one block short of counting, 3 expired with late money, 4 without a coin.
INSERT INTO invoice (user_id, api_key_id, external_code, email, amount_eur_cents, coin, amount_units, rate, wallet_id, chain_epoch,
    expiry_minutes, expires_at, created_at) VALUES
  (1, 1, 'A-1', 'cliente@example.com', 3118, 'ETH', 10000000000000000, 3118.4, 2, 0, 120, '2026-11-18 12:00Z', '2026-11-18 10:00Z'),
  (1, 1, 'A-2', NULL, 3118, 'ETH', 10000000000000000, 3118.4, 3, 0, 120, '2026-11-18 13:00Z', '2026-11-18 11:00Z'),
  (1, 1, NULL, NULL, 1559, 'ETH', 5000000000000000, 3118.4, 4, 0, 30, '2026-11-18 11:00Z', '2026-11-18 10:30Z'),
  (1, NULL, NULL, NULL, 500, NULL, NULL, NULL, NULL, NULL, 60, '2030-01-01Z', '2026-11-18 11:00Z');
UPDATE invoice SET status = 'paid', payment_state = 'settled', amount_paid_units = amount_units, amount_confirmed_units = amount_units,
  amount_received_units = amount_units, paid_at = '2026-11-18 11:25Z', version = 1 WHERE id = 1;
UPDATE invoice SET payment_state = 'seen', version = 1 WHERE id = 2;
UPDATE invoice SET status = 'expired', payment_state = 'late', amount_received_units = 5000000000000000, version = 2 WHERE id = 3;
INSERT INTO invoice_event (invoice_id, sequence, type, from_status, to_status, payment_state) VALUES
  (1, 1, 'invoice.statusChanged', 'pending', 'paid', 'settled'),
  (3, 1, 'invoice.statusChanged', 'pending', 'expired', 'unpaid'),
  (3, 2, 'invoice.paymentLate', 'expired', 'expired', 'late');
INSERT INTO webhook_delivery (id, event_id, api_key_id, url, body, status, attempt_count, completed_at) VALUES
  ('00000000-0000-4000-8000-000000000003', 1, 1, 'https://negozio.example/hook', '{"status":"paid"}', 'delivered', 2, '2026-11-18 11:26Z'),
  ('00000000-0000-4000-8000-000000000004', 2, 1, 'https://negozio.example/hook', '{"status":"expired"}', 'pending', 0, NULL);
INSERT INTO webhook_attempt VALUES
  ('00000000-0000-4000-8000-000000000003', 1, '2026-11-18 11:25Z', 40, 500, NULL, 'no'),
  ('00000000-0000-4000-8000-000000000003', 2, '2026-11-18 11:26Z', 30, 200, NULL, 'ok');
INSERT INTO outgoing_mail (dedupe_key, recipient, subject, text) VALUES ('late:3', 'marani@example.com', 'Oggetto', 'Testo');
INSERT INTO coin_rate VALUES ('ETH', 3118.4, '[{"venue":"kraken"}]', '2026-11-18 11:26Z');

-- Read up to block 100, of which two confirmations make 99 the last that counts.
INSERT INTO chain_cursor (coin, genesis_hash, epoch, height, hash, block_time, head_height, finalized_height, loaded_generation,
    lease_token, lease_owner, lease_expires_at, confirmations, updated_at)
  VALUES ('ETH', '0x' || lpad(encode('a:0', 'hex'), 64, '0'), 0, 100, '0x' || lpad(encode('a:100', 'hex'), 64, '0'),
    '2026-11-18 11:26:40Z', 100, 36, 3, 41, 'watcher-1', '2026-11-18 11:27Z', 2, '2026-11-18 11:26:41Z');
INSERT INTO chain_block
  SELECT 'ETH', n, '0x' || lpad(encode(convert_to('a:' || n, 'UTF8'), 'hex'), 64, '0'),
    '0x' || lpad(encode(convert_to('a:' || n - 1, 'UTF8'), 'hex'), 64, '0'), timestamptz '2026-11-18 11:06:40Z' + n * interval '12 s'
  FROM generate_series(88, 100) AS n;
INSERT INTO watcher_outage (coin, started_at, ended_at) VALUES ('ETH', '2026-11-17 10:00Z', '2026-11-17 10:05Z');

-- Deposits: 1 of invoice 1; 2 of nobody; 3 and 4 orphaned, two transfers of one transaction; 5 waits for a confirmation; 6 was
-- of nobody until an operator gave it to invoice 3.
INSERT INTO deposit (coin, tx_hash, tx_index, pool_address_id, wallet_id, from_address, amount_units, block_height, block_hash, block_time,
    seen_at, orphaned_at, posted_at, bookings) VALUES
  ('ETH', '0xaa', 0, 2, 2, '0xfe', 10000000000000000, 90, '0xblock90', '2026-11-18 11:24:40Z', '2026-11-18 11:24:41Z', NULL, '2026-11-18 11:25Z', 1),
  ('ETH', '0xbb', 0, 5, NULL, NULL, 3000000000000000, 95, '0xblock95', '2026-11-18 11:25:40Z', '2026-11-18 11:25:41Z', NULL, '2026-11-18 11:26Z', 1),
  ('ETH', '0xcc', 0, 3, 3, '0xfe', 10000000000000000, 97, '0xlost97', '2026-11-18 11:26:04Z', '2026-11-18 11:26:05Z', '2026-11-18 11:26:20Z', NULL, 0),
  ('ETH', '0xcc', 1, 3, 3, '0xfe', 20000000000000000, 97, '0xlost97', '2026-11-18 11:26:04Z', '2026-11-18 11:26:05Z', '2026-11-18 11:26:20Z', NULL, 0),
  ('ETH', '0xdd', 0, 3, 3, '0xfe', 10000000000000000, 100, '0xblock100', '2026-11-18 11:26:40Z', '2026-11-18 11:26:41Z', NULL, NULL, 0),
  ('ETH', '0xee', 0, 4, 4, '0xfe', 5000000000000000, 96, '0xblock96', '2026-11-18 11:25:52Z', '2026-11-18 11:25:53Z', NULL, '2026-11-18 11:26:16Z', 1);
INSERT INTO deposit_attribution (deposit_id, wallet_id, operator, note) VALUES (6, 4, 'anna', 'Bonifico');
INSERT INTO settlement_task (wallet_id, coin) VALUES (3, 'ETH');
INSERT INTO ledger_account (coin, kind, wallet_id) VALUES
  ('ETH', 'chain', NULL), ('ETH', 'wallet', 2), ('ETH', 'unattributed', NULL), ('ETH', 'wallet', 4);
INSERT INTO ledger_entry (key, kind, coin) VALUES
  ('deposit:1:1', 'deposit', 'ETH'), ('deposit:2:1', 'deposit', 'ETH'), ('deposit:6:1', 'deposit', 'ETH'),
  ('attribution:6:1', 'attribution', 'ETH');
INSERT INTO ledger_posting VALUES
  (1, 2, 10000000000000000), (1, 1, -10000000000000000), (2, 3, 3000000000000000), (2, 1, -3000000000000000),
  (3, 3, 5000000000000000), (3, 1, -5000000000000000), (4, 4, 5000000000000000), (4, 3, -5000000000000000);
INSERT INTO reconciliation (coin, height, hot_after_id, cold_after_id, suspect_ids, finished_at) VALUES ('ETH', 36, 4, 6, '{5}', '2026-11-18 11:20Z');
