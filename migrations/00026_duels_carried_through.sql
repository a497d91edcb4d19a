-- +goose Up

-- Up to which week what was carried over has had the losses of idle weeks, where ratings
-- decay: the number of a week in UTC, from that of 1 January 2024. What is there says so
-- of this week, since nothing was taken of it before.
ALTER TABLE duels_carried ADD COLUMN through bigint;
UPDATE duels_carried SET through = floor(extract(epoch FROM now() - timestamptz '2024-01-01 00:00:00+00') / 604800);
