-- +goose Up

-- What each day cost, in UTC, by function, route and kind of caller, which is a
-- game server's signing key besides. They add up to usage_days, but for what an
-- earlier version has counted.
CREATE TABLE usage_parts (
    date        date             NOT NULL,
    function    text COLLATE "C" NOT NULL,
    route       text COLLATE "C" NOT NULL,
    caller      text COLLATE "C" NOT NULL,
    calls       bigint           NOT NULL CHECK (calls >= 0),
    commands    bigint           NOT NULL CHECK (commands >= 0),
    round_trips bigint           NOT NULL CHECK (round_trips >= 0),
    PRIMARY KEY (date, function, route, caller)
);
