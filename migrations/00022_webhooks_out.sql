-- +goose Up

-- What other programs are told: one row for each event and each of those who are told.
-- It is written with what happened, in one transaction.
CREATE TABLE webhooks_out (
    endpoint     text COLLATE "C" NOT NULL, -- as the game file names it
    id           text COLLATE "C" NOT NULL, -- of the event
    seq          bigint           NOT NULL GENERATED ALWAYS AS IDENTITY, -- the order in which they are told
    kind         text COLLATE "C" NOT NULL,
    player       text COLLATE "C" NOT NULL DEFAULT '', -- whom it is about; empty: nobody
    data         jsonb            NOT NULL,
    made_at      timestamptz      NOT NULL,
    since        timestamptz      NOT NULL, -- when it was first to be told, or again
    delivered_at timestamptz,
    dead_at      timestamptz,               -- given up
    PRIMARY KEY (endpoint, id)
);

CREATE INDEX webhooks_out_open ON webhooks_out (endpoint, kind, seq) WHERE delivered_at IS NULL AND dead_at IS NULL;
CREATE INDEX webhooks_out_player ON webhooks_out (player) WHERE player <> '';
CREATE INDEX webhooks_out_since ON webhooks_out (since);

-- Events of one kind go to one endpoint one after another: by one run at a time, and not
-- before the pause after a failure is over.
CREATE TABLE webhook_lanes (
    endpoint text COLLATE "C" NOT NULL,
    kind     text COLLATE "C" NOT NULL,
    due_at   timestamptz      NOT NULL, -- nobody tells anything before
    holder   text             NOT NULL, -- the run that has it; empty: none
    failures bigint           NOT NULL DEFAULT 0, -- in a row
    error    text             NOT NULL DEFAULT '',
    PRIMARY KEY (endpoint, kind)
);
