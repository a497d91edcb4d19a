-- +goose Up

-- A day's newest submissions, for feeds.
CREATE INDEX submissions_newest ON submissions (mode, date, at);
