-- +goose Up

-- The Redis that a day was archived from, by the name it keeps; empty: from
-- before Redis had one.
ALTER TABLE archived_days ADD COLUMN source text COLLATE "C" NOT NULL DEFAULT '';
