-- +goose Up

-- Operators look players up by the beginning of their names. The player's id makes an order of
-- equal names.
CREATE INDEX profiles_name ON profiles (lower(name) text_pattern_ops, player);
