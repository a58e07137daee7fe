#!/bin/sh
# Run once by the postgres service of docker-compose.yml, in an empty cluster: the product's owner, who is no superuser, and
# its database.
set -eu
psql --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres --set password="$OWNER_DB_PASSWORD" <<'SQL'
CREATE ROLE incassa_owner LOGIN CREATEROLE PASSWORD :'password';
CREATE DATABASE incassa OWNER incassa_owner;
SQL
