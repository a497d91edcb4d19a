-- +goose Up

-- The newest run that has taken the day in as it closed, groups included, where it
-- is the newest of all: no other run may write the day until it has finished. Where
-- it is the one that finished last, the day stands as it closed. 0: none is known,
-- as of days from before this was kept.
ALTER TABLE archived_days ADD COLUMN closing bigint NOT NULL DEFAULT 0;
