-- +goose Up

-- What each day has given each player of a currency, as the day closed last.
CREATE TABLE earned (
    day      date             NOT NULL,
    currency text COLLATE "C" NOT NULL,
    player   text COLLATE "C" NOT NULL,
    amount   bigint           NOT NULL CHECK (amount > 0),
    PRIMARY KEY (day, currency, player)
);

CREATE INDEX earned_player ON earned (player);

-- Which plays were accepted, of modes whose plays are counted.
CREATE TABLE plays (
    day    date             NOT NULL,
    mode   text COLLATE "C" NOT NULL,
    player text COLLATE "C" NOT NULL,
    play   text COLLATE "C" NOT NULL,
    PRIMARY KEY (day, mode, player, play)
);

CREATE INDEX plays_player ON plays (player);

-- What players have spent, each once.
CREATE TABLE spends (
    id       text COLLATE "C" PRIMARY KEY,
    player   text COLLATE "C" NOT NULL,
    currency text COLLATE "C" NOT NULL,
    amount   bigint           NOT NULL CHECK (amount > 0),
    item     text             NOT NULL,
    at       timestamptz      NOT NULL
);

CREATE INDEX spends_player ON spends (player, at);
