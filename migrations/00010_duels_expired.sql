-- +goose Up

-- A duel that had both players and ended without a result counts among those that
-- they have begun, from which their K follows while it is provisional.
ALTER TABLE duels DROP CONSTRAINT duels_state_check;
ALTER TABLE duels ADD CONSTRAINT duels_state_check CHECK (state IN ('decided', 'disputed', 'expired'));
