-- +goose Up

-- What tells repetitions of one addition apart from two, where plays are added up.
ALTER TABLE submissions ADD COLUMN once text COLLATE "C";
