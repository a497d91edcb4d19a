-- +goose Up

-- What a duel gave its players, as the game's rules were then.
ALTER TABLE duels
    ADD COLUMN points_a bigint NOT NULL DEFAULT 0,
    ADD COLUMN points_b bigint NOT NULL DEFAULT 0,
    ADD COLUMN xp_a     bigint NOT NULL DEFAULT 0,
    ADD COLUMN xp_b     bigint NOT NULL DEFAULT 0;
