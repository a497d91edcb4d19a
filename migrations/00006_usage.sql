-- +goose Up

-- What each day cost, in UTC, by function. Commands are those that Upstash bills;
-- sent and received are bytes to and from Redis.
CREATE TABLE usage_days (
    date        date             NOT NULL,
    function    text COLLATE "C" NOT NULL,
    calls       bigint           NOT NULL CHECK (calls >= 0),
    commands    bigint           NOT NULL CHECK (commands >= 0),
    round_trips bigint           NOT NULL CHECK (round_trips >= 0),
    sent        bigint           NOT NULL CHECK (sent >= 0),
    received    bigint           NOT NULL CHECK (received >= 0),
    failed      bigint           NOT NULL CHECK (failed >= 0),
    throttled   bigint           NOT NULL CHECK (throttled >= 0),
    replayed    bigint           NOT NULL CHECK (replayed >= 0),
    PRIMARY KEY (date, function)
);
