-- +goose Up

-- What functions took in and asked of Postgres: scores that changed a board,
-- queries, and rows that were returned or changed.
ALTER TABLE usage_days
    ADD COLUMN accepted bigint NOT NULL DEFAULT 0 CHECK (accepted >= 0),
    ADD COLUMN queries  bigint NOT NULL DEFAULT 0 CHECK (queries >= 0),
    ADD COLUMN rows     bigint NOT NULL DEFAULT 0 CHECK (rows >= 0);

-- The product's own count of a day's commands beside Upstash's, in UTC, as they
-- were when they were compared last.
CREATE TABLE usage_checks (
    date       date        PRIMARY KEY,
    counted    bigint      NOT NULL CHECK (counted >= 0),
    upstash    bigint      NOT NULL CHECK (upstash >= 0),
    checked_at timestamptz NOT NULL
);
