-- +goose Up

-- What players were given by the rules of the game, each once.
CREATE TABLE badges (
    player text COLLATE "C" NOT NULL CHECK (octet_length(player) BETWEEN 1 AND 128),
    rule   text COLLATE "C" NOT NULL,
    key    text COLLATE "C" NOT NULL DEFAULT '', -- of the period; empty: given once
    earned date             NOT NULL,            -- the day on which it was reached
    since  date             NOT NULL,            -- the first day of the period
    mode   text COLLATE "C" NOT NULL DEFAULT '', -- where, for places and scores
    scope  text COLLATE "C" NOT NULL DEFAULT '',
    period text             NOT NULL DEFAULT '',
    PRIMARY KEY (player, rule, key),
    CHECK (since <= earned)
);

CREATE INDEX badges_rule ON badges (rule, player);

-- How many players have each, of how many: counted once a day.
CREATE TABLE badge_rarities (
    rule       text COLLATE "C" PRIMARY KEY,
    holders    bigint           NOT NULL CHECK (holders > 0),
    players    bigint           NOT NULL,
    counted_at timestamptz      NOT NULL
);

-- Who had to do with whom on a day, of games with badges for it, for as long as such
-- badges look back.
CREATE TABLE peers (
    day    date             NOT NULL,
    player text COLLATE "C" NOT NULL,
    peer   text COLLATE "C" NOT NULL,
    PRIMARY KEY (player, day, peer)
);

CREATE INDEX peers_day ON peers (day);
CREATE INDEX peers_peer ON peers (peer);
