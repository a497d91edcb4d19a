-- +goose Up

-- When an operator took a badge: the row remains, so that no closing gives the badge again.
ALTER TABLE badges ADD COLUMN taken_at timestamptz;
-- An operator gave it, and no rule: if it is taken, the row is deleted.
ALTER TABLE badges ADD COLUMN by_hand boolean NOT NULL DEFAULT false;
