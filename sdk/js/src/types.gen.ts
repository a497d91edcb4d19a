// Generated from api/openapi.yaml by `make web`.

export interface paths {
    "/v1/scores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit one score
         * @description A player submits for themselves, with a session token. A game server submits with a signature, for the player
         *     whom `player` names. The operator's import tool sends a signature and the operator's token; only with both may
         *     a request fill closed dates and set `played_at`.
         *
         *     The mode's policy decides what a second score on the same day does: `first` keeps the first, `best` the best,
         *     `latest` the newest, and `sum` adds them up. With the first three, the same request may safely be sent again.
         *     With `sum` the header `Idempotency-Key` makes a repetition safe, and is required.
         *
         *     With `view` the answer also has what a result screen shows. It counts as one read of boards for the rate
         *     limit.
         */
        post: operations["submitScore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/plays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a play
         * @description In modes that ask for one (`plays` in `GET /v1/game`), a score needs a play. A play is a token that says which
         *     mode, player and day it is for, when it began by the server's clock, and what challenge the player got. It is
         *     good for one score. A game server starts a play for the player whom `player` names.
         */
        post: operations["startPlay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/scores/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit up to 1000 scores
         * @description For game servers and the operator. Each score has its own answer, in the order of the batch; a refused score
         *     does not affect the others. Several scores of one player count in the order given. With the mode policy `sum`,
         *     the header `Idempotency-Key` is required, and each score counts once for the key and its place in the batch.
         */
        post: operations["submitScores"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send up to 500 things that players did
         * @description For game servers, in games that have activity. Each event counts once, by its id, however often and in
         *     whatever order it is sent. A refused event does not affect the others; sending it again does not help. Boards
         *     show the events within five minutes.
         */
        post: operations["sendEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/leaderboards/{mode}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a page of a board
         * @description The page begins at the top, at `offset`, or after the page that gave out `cursor` as its `next_cursor`.
         *     Following cursors neither repeats nor skips a player who did not move, even if others came in meanwhile.
         *
         *     Periods that have left Redis are answered from Postgres, in the same form; such an answer may wait for the
         *     database to wake up. So are periods that are over and that Redis has lost. While Redis refuses, the answer is
         *     the page that was last known, marked `stale`. So is a page that is not whole, after a loss. A request costs
         *     at most 4 commands, whatever its cursor or offset, besides the refresh of a derived board that is due.
         */
        get: operations["getPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/leaderboards/{mode}/distribution": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how scores are distributed
         * @description Buckets of scores without gaps, lowest numbers first, and how many players are in each; every player of the
         *     board is in one bucket. The width of a bucket is a round number; if the mode has no more possible numbers than
         *     `buckets`, each number has its own bucket. With a token, `me` says in which bucket the caller is. For modes
         *     that rank by several values, the buckets are of the first value.
         *
         *     A count is of one moment. It costs 8 commands and one for each bucket, at most once in the game's `cache` time
         *     for all processes together; a board of up to 1,200 players costs one command. Periods that have left Redis are
         *     counted in Postgres.
         */
        get: operations["getDistribution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/leaderboards/{mode}/world": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the merged board of all sites
         * @description Several deployments of one game, called sites, merge their boards every five minutes; each site answers with
         *     its last merge. The first players, as many as the game file says and at most 10,000, are ranked exactly as the
         *     sites' boards were at their `as_of`. `total` counts a player who plays at several sites once at each. A site
         *     is `down` if it has not been heard of for more than 16 minutes; its last figures stay. With a token, `me` is
         *     the caller's place, by the better of their current score at this site and their scores at other sites.
         *     For a caller behind the ranked entries `rank` is null, and the percentile is computed from every site's
         *     distribution, with an error of at most 5 % of a site's players.
         *
         *     Names of players who have no profile at this site are shown for the first 1,000 of each other site, and may be
         *     six hours old.
         */
        get: operations["getWorld"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/live/{mode}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch a board
         * @description Server-sent events, for as long as the client stays; see docs/build/live.md.
         *
         *     - `event: board` comes first: a page as the boards route answers it, with `version` and without `next_cursor`.
         *     - `event: change` follows for each change: `{"version","total","updated_at","entries","gone"}`. To apply it,
         *       remove the players in `gone` and in `entries`, add `entries`, and sort by `rank`.
         *     - `event: me`, with a session token: the caller's own card, after a change and at most every 2 s.
         *     - `event: stale`: Redis does not answer.
         *     - `event: closed`: the final page, after which nothing follows.
         *
         *     The comment `: hb` comes every 15 s. A stream ends by itself after 4 to 6 minutes: connect again with the `id`
         *     of the last event, and the stream continues from there.
         *
         *     A viewer costs no command; a board that changes costs at most two reads a second, however many watch it. A
         *     deployment that cannot stream answers 307 to one that can, or 501.
         */
        get: operations["getLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/live/duels/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch a duel
         * @description Server-sent events, for as long as the client stays; see docs/build/live.md.
         *
         *     - `event: duel` comes first, and again after each change: the duel as `GET /v1/duels/{id}` answers it. It
         *       changes when somebody accepts or reports a result, and when it is decided.
         *     - `event: stale`: Redis does not answer.
         *     - `event: closed`: the duel as it ended, after which nothing follows; `{}` if the caller may not read it any
         *       more.
         *
         *     The comment `: hb` comes every 15 s. A stream ends by itself after 4 to 6 minutes: connect again, and the new
         *     one begins with the duel as it is.
         *
         *     Whoever may read the duel may watch it, at one command for a viewer. A deployment that cannot stream answers
         *     307 to one that can, or 501.
         */
        get: operations["getLiveDuel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/live/races/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Watch a race
         * @description Server-sent events, for as long as the client stays; see docs/build/live.md.
         *
         *     - `event: race` comes first, and again after each change: the race as `GET /v1/races/{id}` answers it. It
         *       changes when somebody joins, or reports progress or a result, and when one of its times is reached.
         *     - `event: stale`: Redis does not answer.
         *     - `event: closed`: the race as it ended, after which nothing follows; `{}` if the caller may not read it any
         *       more.
         *
         *     The comment `: hb` comes every 15 s. A stream ends by itself after 4 to 6 minutes: connect again, and the new
         *     one begins with the race as it is.
         *
         *     Whoever may read the race may watch it, at one command for a viewer. A deployment that cannot stream answers
         *     307 to one that can, or 501.
         */
        get: operations["getLiveRace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/leaderboards/{mode}/players/{player}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one player's place
         * @description `previous_rank` is the rank on the board of the period before: yesterday, last week, last month. It is null if
         *     the player was not on that board, or if that board has left Redis and no history is kept. A card includes
         *     every score of the player that was answered before, on derived boards too; the other players' scores there may
         *     be as old as the game's `refresh`. While Redis refuses, the answer is the card that was last known, marked
         *     `stale`.
         */
        get: operations["getCard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/leaderboards/{mode}/around/{player}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a player's neighbours
         * @description The player, with `range` entries above and as many below, in order. At either end of the board the window
         *     moves inwards, so that it has its full size if the board has as many entries. The player's own row includes
         *     every score of theirs that was answered before, on derived boards too. While Redis refuses, the answer is the
         *     rows that were last known, marked `stale`.
         */
        get: operations["getAround"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/leaderboards/{mode}/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look up the entries of many players
         * @description The scores of up to 500 players, ranked among themselves. Players without an entry are left out; a player who
         *     is named twice counts once.
         */
        post: operations["lookUpPlayers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read your own profile, XP, streak, badges and ranks
         * @description XP and streak include today at once, before the day is closed. `xp_rank` is the rank on the XP board at its
         *     last refresh, or null for a player who is not on it yet. A streak does not end before the day after the last
         *     day played has closed. `today` has an entry for each mode played on a day that has not ended; in a game whose
         *     day begins at everybody's own midnight, several dates can be open at once. For a player who has never played
         *     all numbers are 0. A game that gives no XP has no `xp`, `level` and `xp_rank`; a game with `streak: off` has
         *     no `streak`.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        /**
         * Erase your own data
         * @description Takes the owner of the session token off every board and out of the archive, with name, picture and streak;
         *     closed boards show `erased` in their place. A player who plays again starts from scratch. Erasing again changes
         *     nothing. A player may ask for it 3 times on one UTC date, and only if it fits into the commands that a player
         *     may cost in a day; otherwise the answer is 429, and nothing was erased. If a request is cut off, the schedule
         *     erases the rest.
         */
        delete: operations["eraseMe"];
        options?: never;
        head?: never;
        /**
         * Change how others see you
         * @description Fields that are left out stay as they are; empty ones are removed. The session token takes precedence: the
         *     token's name replaces a name that was set here, with the next score. A hidden player is on every board without
         *     name and picture, and others see no details on the card. Others may see the old profile for 15 minutes.
         *     A name has a letter or digit, no characters that
         *     cannot be seen (but those that shape emoji and letters), single spaces, and up to three marks on a letter. A
         *     banned player may not change anything (403).
         *
         *     A device may change only its `name`, up to three times a day, in a game that has `device_names` among its
         *     features; all else is refused (403). When the device is claimed, its name is removed.
         */
        patch: operations["changeMe"];
        trace?: never;
    };
    "/v1/me/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export everything that is kept of you
         * @description One document, or several pages of it: `next` is the `cursor` of the next page, good for an hour, and null on
         *     the last page. What exists once (profile, XP, friends) is on the first page only; lists go on from page to
         *     page. A page has at most 20,000 results and 10,000 rows of any other list, and fewer if it would exceed some 4
         *     MB. `sources` says what was read: without a database, only Redis. A player without data gets empty lists.
         *
         *     A player may begin 3 exports on one UTC date; further pages are not counted, nor is `HEAD`, which reads nothing
         *     and has no length.
         */
        get: operations["exportMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/badges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read your own badges
         * @description The badges that were given by the rules of the game when days and periods were closed, newest first; those of
         *     today are in `GET /v1/me`. They come from the history and cost no Redis command. A game without rules has
         *     none.
         */
        get: operations["getOwnBadges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what you have earned and spent
         * @description One wallet for each of the game's currencies. Earnings of today's plays count at once. `balance` is what can
         *     be spent: `earned` less `spent`, or 0 if scores were removed after their earnings had been spent. A game
         *     without currencies has no wallets.
         */
        get: operations["getWallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/wallets/{currency}/spend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Spend what was earned
         * @description A player spends their own, with a session token. A game server spends, with a signature, what the player has
         *     whom `player` names. Each `Idempotency-Key`, which is required, spends once, or nothing if the balance is too
         *     small. For a day the same request gets the same answer. A device cannot spend: its owner claims it first.
         */
        post: operations["spend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read your own results
         * @description What the caller has played, newest first. `each` says what a result is:
         *
         *     - `play`, in games with an outbox: each accepted play, by the time it was played. A play that `cron-save` has
         *       not saved yet is listed as long as it is on its day's board; in modes that add plays up, once it is
         *       saved.
         *     - `day`, in all other games: the caller's entry on one day of a mode, by date and mode, days that still take
         *       scores included.
         *
         *     `next` is the `cursor` of the next page, and null on the last one. A page before the last may have fewer than
         *     `limit` results. Following cursors neither repeats nor leaves out a result, even if days close meanwhile.
         *
         *     Without a database, results are listed as long as their day boards live, and `history` is `unavailable`. If a
         *     database is configured and does not answer, the answer is 503.
         */
        get: operations["getResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/ranks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read your own ranks of closed days
         * @description The caller's ranks on the boards of all players of a mode: one for each of the last `limit` closed days with a
         *     result of the caller, newest first. They are counted from the history when asked and cost no Redis command: a
         *     score that was removed since does not count. Ranks above 10,000 are not counted, and `rank` is left out.
         *
         *     Without a database there are none, and `history` is `unavailable`. If a database is configured and does not
         *     answer, the answer is 503.
         */
        get: operations["getRanks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/leagues/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read your own league
         * @description The caller's cohort of this week: up to 30 players of one tier and of similar pace, ranked by the XP that the
         *     days of the week have given so far. XP of duels belongs to no day and does not count. Players with equal XP
         *     are ordered by id. `zone` says where a place leads when the week is over; `promote` and `relegate` say how
         *     many of the cohort, as it is now, go up and fall. XP is at most 30 s old, longer in a game of more than 30,000
         *     players.
         *
         *     `state` is `playing` for a caller who is in a cohort, `idle` for one who has no XP this week or got the first
         *     a few seconds ago, and `settling` until the week before is settled: then cohorts begin, with everybody who has
         *     played meanwhile. In the states `idle` and `settling` there is no cohort, and `entries` is empty.
         *
         *     `results` are past weeks in which the caller played, newest first, 20 at most. A week without playing costs a
         *     tier, and has no result.
         */
        get: operations["getLeague"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim a device that you have played on
         * @description The device's scores of all days that still take changes become the player's, under each mode's policy, as if
         *     the player had played them: the earlier one is kept where the first play counts, the better one where the best
         *     does, the later one where the latest does, and sums are added up. Older days stay with the device.
         *
         *     A device has one owner for ever. Claiming again gets the same answer, and finishes a claim that was cut off.
         *     Afterwards the device's token is good for nothing but this request. Other processes may still take its scores
         *     for 10 minutes; those become the player's too.
         */
        post: operations["claimDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Play without signing in
         * @description Makes an anonymous player, in a game that has them. Whoever holds the token is that player: keep it like a
         *     password. It does not expire. A device sends it where a player sends a session token, to submit scores and to
         *     read its own data. With a token in `Authorization` the answer is that same player, with the token to keep from
         *     now on.
         */
        post: operations["makeDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/bans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List banned players
         * @description From the database, newest first; an erased player is listed as a digest. Without a database the answer has
         *     only their number, since Redis knows them by digests.
         */
        get: operations["listBans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/bans/{player}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Ban a player
         * @description This process refuses the player's scores from now on, every process after 15 minutes. Scores on days that
         *     still take changes are removed, and every board made from those days is corrected. Older days stay. The XP of
         *     the player's duels is taken away for good. Banning again removes what came in meanwhile.
         */
        put: operations["ban"];
        post?: never;
        /**
         * Lift a ban
         * @description The player may play again, in every process after 15 minutes. Scores that the ban removed are not restored.
         */
        delete: operations["unban"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/players": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find players by name
         * @description The players whose names begin with `name`, in upper or lower case, ordered by name, from the database: as of
         *     the last run of `cron-save`. Hidden and banned players are among them, erased ones are not.
         */
        get: operations["findPlayers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/players/{player}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read everything that is kept of a player
         * @description As `GET /v1/me/export` for the player, without the limit of 3 exports. `known` is false for an id of which
         *     nothing is kept except entries of the audit.
         */
        get: operations["readPlayer"];
        put?: never;
        post?: never;
        /**
         * Erase a player
         * @description As `DELETE /v1/me` for the player, without its limits. A ban stays.
         */
        delete: operations["erasePlayer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit of operators and players
         * @description Bans, removals, erasures, maintenance, scores that were sent back, boards that were restored, and runs started
         *     by hand, newest first, from the database. With `player`, only what was done to or by that player, erased or
         *     not. Without a database each act is a line of the functions' logs, `"msg":"audit"`.
         */
        get: operations["readLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what submissions did to boards
         * @description What each submission, of a player or of a mode, did to the boards of some dates, in games with an `audit`
         *     (else 404): newest date first, by mode within a date, newest first within a mode. It is as of the last run of
         *     `cron-save`. A player is found by id, erased or not.
         */
        get: operations["readAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/held": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List held scores
         * @description Scores that are kept off the boards because few people have such scores, oldest first. At most 1,000 wait, and
         *     5 of one player: a sixth replaces the player's oldest.
         */
        get: operations["listHeld"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/held/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Let a held score pass
         * @description The score enters the boards of its day, as of the time when it was played. If the day no longer takes changes,
         *     it is refused (422, `date-closed`).
         */
        put: operations["passHeld"];
        post?: never;
        /**
         * Drop a held score
         * @description The score stops waiting and never counts. Its player is not notified.
         */
        delete: operations["dropHeld"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count players and results by date
         * @description From the database; dates that take scores are as of the last run of `cron-save`. It costs no Redis command,
         *     but the database reads every result of these dates.
         */
        get: operations["getStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/scores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove one score
         * @description The player's entry of one day is removed, in every scope, and every board made from that day is corrected. If
         *     the correct boards cannot be computed, the request is refused and nothing changes (422, `not-removable`).
         *     Removing again changes nothing.
         */
        delete: operations["removeScore"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See whether Redis and the database answer
         * @description The answer is 503 if Redis does not answer, refuses the token, or takes no writes with it (each process tries
         *     one write, once, for 1 command). If the plan's commands are used up, `detail` says so and when they come back.
         *     Without the database boards work, and closed days are archived later. `GET /v1/ops/status` says what is spent
         *     and how long the plan lasts.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/maintenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See whether maintenance is on
         * @description Whether writes are refused for maintenance, since when and until when.
         */
        get: operations["getMaintenance"];
        /**
         * Begin maintenance
         * @description Reads go on. Requests that would write are answered 503 `maintenance` with `Retry-After`, and schedules wait.
         *     Every process notices the beginning within 15 minutes, and the end within a minute. Maintenance ends by itself
         *     at `until`.
         */
        put: operations["putMaintenance"];
        post?: never;
        /**
         * End maintenance
         * @description If no maintenance is on, nothing happens.
         */
        delete: operations["deleteMaintenance"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See the state of the product
         * @description Whether writes are taken; how each schedule's last run ended and when it runs next; days that are not closed,
         *     not archived or lost; dead letters; the database's tables; the circuit to Redis; the pace of commands; and
         *     what to do about each problem. `good` is false if there is a problem; the status is 200 all the same.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See failed runs and scores that could not be written
         * @description How many scheduled runs failed for good and how many queued scores could not be written, with up to 10 of
         *     each, which stay in their queue. With SQS, counts are at most a minute old; reading a message hides it for a
         *     second and counts as one receive.
         */
        get: operations["listDeadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/dead-letters/redrive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send dead scores back to the queue
         * @description Queued scores that could not be written begin to go back into the queue, as new messages with their own time
         *     of play; a score that was written before does not count twice. Scheduled runs are not sent back: invoke their
         *     function by name. With SQS the transfer goes on after the answer.
         */
        post: operations["redriveDeadLetters"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ops/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what the product spends
         * @description Redis commands as Upstash bills them, by day (UTC) and function, oldest day first and today last. A process
         *     writes its counters every few minutes and before it ends; commands that it has not written yet are missing.
         *     Past days have Upstash's own figure beside them if the product has its account's credentials and a database.
         *     The answer also has what the month will cost, with AWS and the database.
         */
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/leaderboards/{mode}/friends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the board of your friends
         * @description The caller, marked by `me`, and those friends of the caller who have an entry: at most 501 players. A change
         *     of friends shows in the next answer. Without a database the caller is alone on it.
         */
        get: operations["getFriendsBoard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/friends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read your friends, requests and blocks
         * @description Newest first, at most 500 of each. Players do not see who blocks them: their request waits like any other.
         */
        get: operations["getFriends"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/friends/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask another player to be friends
         * @description If the other player has already asked, both are friends at once. At most 500 requests may wait.
         */
        post: operations["askFriend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/friends/requests/{player}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a request
         * @description The two are friends from then on. Accepting again answers the same.
         */
        post: operations["acceptRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/friends/requests/{player}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Decline or withdraw a request
         * @description Removes the request between the two, whoever made it. It may be repeated.
         */
        delete: operations["dropRequest"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/friends/{player}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a friendship
         * @description The friendship ends for both. It may be repeated.
         */
        delete: operations["removeFriend"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/friends/blocks/{player}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Block a player
         * @description Ends the friendship and removes requests between the two. Neither is listed to the other, and they do not meet
         *     in duels. The other player is not notified. It may be repeated. At most 500 players.
         */
        put: operations["blockPlayer"];
        post?: never;
        /**
         * Lift a block
         * @description A friendship or request that the block ended is not restored. It may be repeated.
         */
        delete: operations["unblockPlayer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/friends/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an invite
         * @description A code that makes friends of the caller and those who bring it, good for 7 days and for `uses` players. It is
         *     shown once: only a digest is kept. A caller may have 20 good ones; one more ends the oldest.
         */
        post: operations["makeInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/friends/invites/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who made an invite
         * @description For the player who may accept it. An invite of a player who blocks the caller, whom the caller blocks, or who
         *     is banned is answered as an unknown one.
         */
        get: operations["readInvite"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/friends/invites/{code}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Become friends by an invite
         * @description The caller and the player who made the invite are friends from then on. An invite is used up when as many have
         *     accepted it as it was made for.
         */
        post: operations["acceptInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/clerk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take events from Clerk
         * @description Users and memberships, signed by Svix (`svix-id`, `svix-timestamp`, `svix-signature`). A repeated message has
         *     no second effect, and an event older than one already taken changes nothing. Other types are acknowledged and
         *     ignored.
         */
        post: operations["takeClerkWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/duels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own duels, newest first
         * @description Challenges that wait for the caller are among them. Reading a duel whose time is over ends it.
         */
        get: operations["listDuels"];
        put?: never;
        /**
         * Challenge somebody, or make a duel of two players
         * @description A player opens a challenge, to the player whom `opponent` names or to whoever brings its `invite`. A game
         *     server names two `players`, and the duel is ready at once; if it sends an `id` of its own, repeating the
         *     request makes no second duel, for as long as the game keeps duels. A result moves at most K points of each
         *     rating; K is settled when the duel becomes ready.
         */
        post: operations["makeDuel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/duels/queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look for an opponent
         * @description Ask again every `poll_after` seconds; the answer is a ready duel as soon as there is one. The longer a player
         *     waits, the further apart the two ratings may be. A player who stops asking leaves the queue. A duel that was
         *     found is answered until it is over.
         */
        post: operations["joinQueue"];
        /**
         * Leave the queue
         * @description A duel that was already found stays.
         */
        delete: operations["leaveQueue"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/duels/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one duel
         * @description For its two players and for game servers. An open challenge is shown to every player who has its invite.
         */
        get: operations["readDuel"];
        put?: never;
        post?: never;
        /**
         * Decline or withdraw a challenge
         * @description The opponent declines it, or the challenger withdraws it: its status is `expired`. Doing so again gets the same answer.
         */
        delete: operations["declineDuel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/duels/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a challenge
         * @description The first player to accept an open challenge plays. Accepting again gets the same answer.
         */
        post: operations["acceptDuel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/duels/{id}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report how a duel ended
         * @description A game server's report decides the duel, however late it comes. Players decide it when both report the same.
         *     When they report different results the duel is `disputed`: no rating moves, and only a game server can decide
         *     it. If one player has reported by `expires_at` and the other has not, that report counts.
         *
         *     A result moves both ratings exactly once, in one step. Reporting the same result again gets the first answer;
         *     another result is refused.
         */
        post: operations["tellResult"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/duels/{id}/rematch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Challenge the other player again
         * @description If both players ask, it is one duel, which is ready at once.
         */
        post: operations["rematch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/races": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a race
         * @description The caller has the first seat. The race starts when it is full, or, with two or more players, a while after
         *     the second has joined. Players join by its id, which nobody can guess; without `invite: true` the queue brings
         *     others too.
         */
        post: operations["makeRace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/races/queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find a race
         * @description Joins a waiting race of the mode, of players of similar rating, or opens one. Repeating the request answers
         *     with the race that the caller is in, so it may be sent every second or two until the race has started. A
         *     player who is silent for `races.silent` while the race waits loses the seat.
         */
        post: operations["queueRace"];
        /**
         * Leave a waiting race
         * @description A race that has started is not left: see `leave`.
         */
        delete: operations["leaveRaceQueue"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/races/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one race
         * @description For its players; a waiting race is shown to every player who has its id. Changes that are due by the clock are
         *     made first, so that everybody sees the same. Once the start is set, the answer has the caller's own `play`,
         *     with the challenge that all players share; send the result with it like any score (`POST /v1/scores`). `now`
         *     is the server's clock, to which `starts_at` refers.
         */
        get: operations["readRace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/races/{id}/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a seat
         * @description Joining again gets the same answer.
         */
        post: operations["joinRace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/races/{id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report your progress
         * @description At most four reports a second are taken in; the rest are ignored. Progress decides nothing, but a player who
         *     has reported once and is then silent for `races.silent` is out. The answer is what this process knows of all
         *     players; `GET` has it too, up to 5 s old.
         */
        post: operations["tellProgress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/races/{id}/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave a race
         * @description In a waiting race the caller gives up the seat. In a race that has started the caller gives up and comes last.
         */
        post: operations["leaveRace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/graphql": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Run a query that the deployment keeps
         * @description For content delivery networks: one of the deployment's own queries, named by the SHA-256 of its file. Caches
         *     keep public answers as they keep pages of boards. Limits and credentials are those of POST.
         */
        get: operations["keptGraphQuery"];
        put?: never;
        /**
         * Query several things at once, in GraphQL
         * @description Boards, cards, players, friends and duels, as their routes answer them;
         *     [graphql.md](https://github.com/framedle/leaderboards/blob/main/docs/build/graphql.md) has the schema. A query may
         *     have 8 KiB, 8 levels, and 100 fields after aliases and fragments, and may cost 22 Redis commands. All of these
         *     are checked before Redis is asked, and a query beyond them is refused at no cost. A part that cannot be
         *     answered is null, and `errors` has the code of its problem. The caller's own data needs a session token.
         *     Deployments serve this route if `GRAPHQL` is on (else 404).
         */
        post: operations["queryGraph"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/players/{player}/badges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a player's badges
         * @description The badges that were given by the rules of the game when days and periods were closed, newest first. Others
         *     see none of a hidden player, and an unknown player has none. They come from the history and cost no Redis
         *     command; `me` is the caller.
         */
        get: operations["getBadges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the newest entries of a day's board
         * @description The entries of the board of a mode and a day, by when they were played, newest first, each player once. Plays
         *     that did not change the board are not shown, nor are removed ones. `rank` is given for the first 100 places.
         *     Only games with `outbox: true` have a feed (404). To get only newer entries, send the `at` of the first entry
         *     as `since`.
         */
        get: operations["getFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/presence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how many players are online
         * @description Players and devices that have sent any request with their credential in the last two minutes, to any process.
         *     A count is usually at most half a minute old, sometimes a minute; `as_of` says when it was made. A game that
         *     does not count has no such route (404).
         */
        get: operations["getPresence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/game": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a client needs to know of the game
         * @description The modes, the dates that take scores now, and the features that are on. It costs no Redis command.
         */
        get: operations["getGame"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.yaml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read this document
         * @description As the deployed version answers it; with the `ETag` of that version in `If-None-Match` the answer is 304.
         */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Maintenance: {
            /**
             * Format: date-time
             * @description When maintenance ends by itself, at most 7 days from now.
             */
            until: string;
            /** @description The reason that callers see. */
            reason?: string;
        };
        MaintenanceState: {
            on: boolean;
            /** Format: date-time */
            since?: string;
            /** Format: date-time */
            until?: string;
            reason?: string;
            /**
             * Format: date-time
             * @description When every process will have noticed.
             */
            everywhere?: string;
        };
        Game: {
            name: string;
            /**
             * @description Where on earth a date begins and ends; `local` is each player's own midnight.
             * @enum {string}
             */
            day: "utc" | "local";
            /** @description In the order of the game file. */
            modes: components["schemas"]["GameMode"][];
            /** @description The dates that take scores now, oldest first. */
            open_dates: components["schemas"]["OpenDate"][];
            /** @description Level n begins at base·n² XP. */
            level: {
                base: number;
            };
            leagues?: components["schemas"]["LeagueRules"];
            /** @description The optional features of the game and the deployment that are on. */
            features: ("xp" | "streaks" | "duels" | "races" | "leagues" | "activity" | "badges" | "seasons" | "devices" | "device_names" | "friends" | "history" | "wallets" | "presence" | "world")[];
            /** @description Groups that the game file names, and whose boards may be read; there may be others. */
            groups?: string[];
            /** @description The rules of badges, in the order of the game file; there if `features` has badges. */
            badges?: components["schemas"]["BadgeRule"][];
        };
        /** @description The title in other languages, by their tags, such as `de` and `pt-BR`. */
        Titles: {
            [key: string]: string;
        };
        /** @description What a badge is given for. How rare it is comes with players' badges, as it was last counted. */
        BadgeRule: {
            id: string;
            /** @description For display. */
            title: string;
            titles?: components["schemas"]["Titles"];
            /**
             * @description What is counted: a place on a board of a period that is over, a day's score, days in a row, days, XP,
             *     duels won, or different other players that an event connects with.
             * @enum {string}
             */
            for: "rank" | "score" | "streak" | "days" | "xp" | "wins" | "peers";
            /**
             * @description How much is needed. For a place, the lowest that counts; for a mode with several values, the amount of the
             *     first.
             */
            needs: number;
            /** @description For other players, within how many days in a row. */
            within?: number;
            /** @description For scores and places. A rule for places without a mode counts those of any mode. */
            mode?: string;
            /**
             * @description For places, the period of the board.
             * @enum {string}
             */
            period?: "day" | "week" | "month" | "season";
            /** @description For places, the scope of the board. */
            scope?: string;
            /** @description For places, whether the badge is given for the first period only. */
            once?: boolean;
        };
        /** @description In a game with leagues. */
        LeagueRules: {
            /** @description The names of the tiers, lowest first. */
            tiers: string[];
            /** @description How many players a full cohort has. */
            size: number;
            /** @description How many players of a full cohort go up. */
            promote: number;
            /** @description How many players of a full cohort fall. */
            relegate: number;
            /** @description By place. */
            rewards?: string[];
        };
        League: {
            /** @description The ISO week. */
            week: string;
            /** Format: date-time */
            ends_at: string;
            /** @enum {string} */
            state: "playing" | "idle" | "settling";
            tier: string;
            /** @description The tier's place in the tiers of `GET /v1/game`, from 0. */
            tier_index: number;
            /** @description The cohort's name within its week. */
            cohort: string | null;
            /** @description The caller's place; null without a cohort. */
            rank: number | null;
            /** @description The caller's zone; null without a cohort. */
            zone: components["schemas"]["LeagueZone"] | null;
            /** @description How many players of this cohort go up. */
            promote: number;
            /** @description How many players of this cohort fall. */
            relegate: number;
            entries: components["schemas"]["LeagueEntry"][];
            results: components["schemas"]["LeagueResult"][];
            /**
             * Format: date-time
             * @description When the XP was read.
             */
            updated_at: string;
        };
        /** @enum {string} */
        LeagueZone: "promotion" | "stay" | "relegation";
        LeagueEntry: {
            rank: components["schemas"]["Rank"];
            player: components["schemas"]["PlayerId"];
            name?: string;
            /** Format: uri */
            picture?: string;
            country?: components["schemas"]["CountryCode"];
            xp: number;
            zone: components["schemas"]["LeagueZone"];
            /** @description What the place would earn if the week ended now. */
            reward?: string;
            /**
             * @description True on the caller's row, else left out.
             * @constant
             */
            me?: true;
        };
        LeagueResult: {
            week: string;
            tier: string;
            rank: number;
            /** @description How many players the cohort had. */
            players: number;
            xp: number;
            zone: components["schemas"]["LeagueZone"];
            tier_after: string;
            reward?: string;
        };
        GameMode: {
            name: components["schemas"]["ModeName"];
            title: string;
            titles?: components["schemas"]["Titles"];
            /**
             * @description Which of a player's scores of one day counts.
             * @enum {string}
             */
            policy: "first" | "best" | "latest" | "sum";
            /**
             * @description Whether high or low scores lead.
             * @enum {string}
             */
            order: "desc" | "asc";
            /** @description How many decimal places a score has. */
            decimals: number;
            /** @description The lowest score that a submission may have. */
            min: number;
            /** @description The highest score that a submission may have. */
            max: number;
            /**
             * @description The values that the mode ranks by, if there are several; the first decides first. The mode's own
             *     `decimals`, `min` and `max` are then those of the number that the values are packed into.
             */
            values?: components["schemas"]["GameValue"][];
            /**
             * @description Whether equal scores have distinct ranks, the earlier one first, or share one.
             * @enum {string}
             */
            ties: "earliest" | "shared";
            /** @description The scopes of its boards besides the global one. */
            scopes: ("country" | "region" | "group" | "level" | "groups")[];
            /** @description How many levels the mode has; left out if it has none. */
            levels?: number;
            /**
             * @description How longer periods combine a player's days.
             * @enum {string}
             */
            aggregate: "sum" | "max" | "min" | "last";
            /** @description Whether there are boards of the last 7 and 30 days; left out if there are none. */
            rolling?: boolean;
            /**
             * @description How older scores count less on the board of all time; left out if they do not. Boards of all other periods
             *     have the scores as they were played.
             */
            decay?: {
                /** @description The factor that a score is multiplied by each time. */
                factor: number;
                /** @description After how many days that happens, counted from Monday, 1 January 2024. */
                days: number;
            };
            /**
             * @description True if players cannot submit scores: this deployment queues scores, and the mode needs plays. Else left
             *     out.
             * @constant
             */
            unavailable?: true;
            /** @description The play that a score needs; left out if players need none. */
            play?: {
                /** @description How long a play is good for, in seconds. */
                life: number;
                /** @description The kind of proof that scores are computed from; left out if players send scores. */
                proof?: string;
                /** @description How many seconds a challenge takes; left out if players may take as long as they like. */
                seconds?: number;
                /** @description How many key presses a proof may have. */
                keys?: number;
            };
            /** @description Whether a submission may have details. */
            details: boolean;
            /** @description Whether only game servers may submit scores. */
            authoritative: boolean;
            /**
             * @description True if scores are computed from what players do, so that nobody submits any; else left out.
             * @constant
             */
            computed?: true;
            /**
             * @description How the points of a day come about in a computed mode: from `counters`, or from other `modes`. Longer
             *     periods add up days. Left out for other modes.
             */
            points?: {
                counters?: {
                    /** @example rooms_joined */
                    name: string;
                    /** @description For display; left out if the game file has none. */
                    title?: string;
                    titles?: components["schemas"]["Titles"];
                    /** @description Points for each. */
                    weight: number;
                    /** @description How many of a day count at most; left out if all do. */
                    cap?: number;
                }[];
                /** @description The modes whose points are added up. */
                modes?: components["schemas"]["ModeName"][];
                /**
                 * @description Points are multiplied by 1 on the first active day in a row, growing evenly to `times` on day `days`.
                 *     Left out if streaks do not count.
                 */
                streak?: {
                    days: number;
                    times: number;
                };
            };
        };
        /** @description One of the values by which a mode ranks. */
        GameValue: {
            /** @example wpm */
            name: string;
            decimals: number;
            min: number;
            max: number;
            /**
             * @description Whether high or low values lead.
             * @enum {string}
             */
            order: "desc" | "asc";
        };
        OpenDate: {
            /** Format: date */
            date: string;
            /** Format: date-time */
            opens_at: string;
            /**
             * Format: date-time
             * @description The moment from which its scores are refused, the game's grace included.
             */
            closes_at: string;
        };
        /** @description Any JSON. Elements of arrays are typed loosely, because TypeScript cannot follow a recursive reference there. */
        Json: {
            [key: string]: components["schemas"]["Json"];
        } | unknown[] | string | number | boolean | null;
        /** @example daily_frame */
        ModeName: string;
        /**
         * @description No player has the ids `.`, `..`, `me` and `erased`: requests that name one are refused (400). In answers
         *     `erased` is in place of a player who was erased.
         * @example user_a
         */
        PlayerId: string;
        /**
         * @description An officially assigned ISO 3166-1 alpha-2 code, or `XK` for Kosovo.
         * @example BR
         */
        CountryCode: string;
        /** @example org_2abc */
        GroupId: string;
        /**
         * @description The unscaled score, with at most as many decimal places as the mode declares. If the mode ranks by several
         *     values, the whole number that they are packed into: it has the same order as they have, and `values` beside it
         *     has the values themselves.
         */
        Score: number;
        /**
         * @description The values by name, in a mode that ranks by several; each with at most as many decimal places as it declares.
         * @example {
         *       "wpm": 92.5,
         *       "accuracy": 98.2
         *     }
         */
        Values: {
            [key: string]: number;
        };
        /** @enum {string} */
        Period: "day" | "week" | "month" | "season" | "alltime" | "last7" | "last30";
        /**
         * @description The period by name: 2026-11-21, 2026-W47, 2026-11, alltime, a season's own name, or for rolling days the last
         *     of them.
         */
        PeriodKey: string;
        /**
         * @description Everybody, one country, one region, one group, one level, or `groups`. On a board of `groups`, groups are
         *     ranked against each other: `player` is a group's id and there are no names. A region is a continent: `AF`
         *     Africa, `AN` Antarctica, `AS` Asia, `EU` Europe, `NA` North America, `OC` Oceania, `SA` South America.
         * @example country:BR
         */
        Scope: string;
        /**
         * @description 1 is the best. By the mode's `ties`, equal scores have distinct ranks, the earlier one first, or share the
         *     best of them (1, 2, 2, 4).
         */
        Rank: number;
        /** @description How many players are on the board. */
        Total: number;
        /** @description A percentage, with two decimal places; never 0. */
        Percent: number;
        Submission: {
            mode: components["schemas"]["ModeName"];
            /** @description The token of a play from `POST /v1/plays`; required of players in modes that ask for one. */
            play?: string | null;
            /**
             * @description How long the play took by the player's own clock, in milliseconds, from receiving the play to sending
             *     this. It must not exceed the time that passed on the server's clock, and may be shorter than that by at
             *     most the game's slack.
             */
            elapsed?: number | null;
            /**
             * @description Takes the place of a score, with a play of a mode that computes scores from proofs. Its form depends on
             *     the kind of proof; for `keystrokes` it is a KeystrokesProof.
             */
            proof?: components["schemas"]["KeystrokesProof"] | components["schemas"]["Json"];
            /**
             * @description Required if the mode ranks by one number and does not compute scores itself; refused if it ranks by
             *     several values.
             */
            score?: components["schemas"]["Score"];
            /** @description All the values, in place of `score`, if the mode ranks by several. */
            values?: components["schemas"]["Values"];
            /**
             * Format: date
             * @description The date it was played for; the current date in UTC if left out.
             */
            date?: string | null;
            /** @description Required with a signature, refused without one. */
            player?: string | null;
            /**
             * @description An officially assigned ISO 3166-1 alpha-2 code, or `XK` for Kosovo. A country in the session token takes
             *     precedence. If neither is there, the country is the content delivery network's guess.
             */
            country?: string | null;
            /**
             * @description Groups on whose boards the player's entry of the day counts too, from then on: the entry of the day's
             *     board, whichever score it came from. A player may name only groups that the session token names.
             */
            groups?: components["schemas"]["GroupId"][] | null;
            /**
             * @description The level that was played, if the mode has levels. The score also enters the level's own boards
             *     (`scope=level:12`), under the mode's policy and independent of other levels.
             */
            level?: number | null;
            /**
             * @description What else the answer shall have, under `view`: the top 100 of the day's board, the player with their
             *     neighbours on it, the day's board of friends, the card of the week, and XP, level and streak. Each part is
             *     as its route answers it, and costs no more than there. Not in a batch.
             */
            view?: components["schemas"]["ViewPart"][] | null;
            /**
             * @description Any JSON of up to 2 KiB without white space and 32 levels, shown on the player's card of the day. Only if the mode keeps
             *     details.
             */
            details?: components["schemas"]["Json"];
            /**
             * Format: date-time
             * @description When it was played; this orders equal scores. Only the operator may send it; the current time if left out.
             */
            played_at?: string | null;
        } & (unknown | unknown | unknown);
        PlayRequest: {
            mode: components["schemas"]["ModeName"];
            /** @description Required with a signature, refused without one. */
            player?: string | null;
            /**
             * Format: date
             * @description The date it is to be played for; the current date in UTC if left out.
             */
            date?: string | null;
        };
        /** @description Permission to send one score. */
        Play: {
            /** @description The token to send with the score. Only the server can read it. */
            play: string;
            mode: components["schemas"]["ModeName"];
            player: components["schemas"]["PlayerId"];
            /** Format: date */
            date: string;
            challenge?: components["schemas"]["Challenge"];
            /**
             * Format: date-time
             * @description From this moment no score is accepted with it.
             */
            expires_at: string;
        };
        /** @description What the player has to do, such as typing a text. */
        Challenge: {
            /** @description A text that the game gives, for example to be typed. */
            text?: string;
            /** @description A random number in hexadecimal, for the game to use as it likes. */
            seed?: string;
            /** @description How long the challenge takes, in seconds. No score is accepted before that time has passed. */
            seconds?: number;
        };
        /**
         * @description A typing test, key by key. Each key press counts except modifiers, Backspace, and repeats of a held key. For
         *     each, `gaps` has the milliseconds since the one before (for the first, since the start, or 0) and `holds` how
         *     long the key stayed down. The whole body may have 8 KiB. `typed` is compared with the text in Unicode's form NFC;
         *     each edit (Levenshtein) costs one right character.
         */
        KeystrokesProof: {
            /** @description The text as it was at the end. */
            typed: string;
            gaps: number[];
            holds: number[];
            /**
             * @description How many of the key downs only composed a character with others, such as dead keys and the later letters of
             *     a Korean syllable. They do not count for the accuracy. If left out, as many as the canonical decomposition
             *     of `typed` explains.
             */
            composed?: number | null;
        };
        /** @description A score that waits for an operator. */
        HeldScore: {
            id: components["schemas"]["HeldId"];
            mode: components["schemas"]["ModeName"];
            /** Format: date */
            date: string;
            player: components["schemas"]["PlayerId"];
            /** @description The player's name, as the credential had it. */
            name?: string;
            submitted: components["schemas"]["Score"];
            submitted_values?: components["schemas"]["Values"];
            /**
             * Format: date-time
             * @description When it was played.
             */
            at: string;
            /** @description In what way the score is unlike people's. The player is not notified. */
            why: string;
            /** @description Whether the score can still be let pass; if not, its day no longer takes changes. */
            open: boolean;
        };
        HeldList: {
            /** @description Oldest first. */
            held: components["schemas"]["HeldScore"][];
            /** @description The cursor of the next page; null at the end. */
            next: string | null;
        };
        HeldId: string;
        Batch: {
            /** @description Each is read like the body of `POST /v1/scores`, and accepted or refused by itself. */
            scores: components["schemas"]["BatchScore"][];
        };
        Events: {
            /** @description Each is accepted or refused by itself. */
            events: components["schemas"]["Event"][];
        };
        /**
         * @description Something that players did. Its type decides which players it names: `from` and `to`, `user`, or two `users`,
         *     one of whom may be the `winner`.
         */
        Event: {
            /** @description The same each time the event is sent. */
            id: string;
            /** @description One of the types that the game declares. */
            type: string;
            /**
             * Format: date-time
             * @description When it happened. It counts for the date in the group's time zone.
             */
            at: string;
            /** @description The group in which it counts. */
            group: string;
            from?: components["schemas"]["PlayerId"];
            to?: components["schemas"]["PlayerId"];
            user?: components["schemas"]["PlayerId"];
            users?: components["schemas"]["PlayerId"][];
            winner?: components["schemas"]["PlayerId"];
        };
        /** @description One score of a batch. It cannot ask for a view. */
        BatchScore: {
            mode: components["schemas"]["ModeName"];
            player: components["schemas"]["PlayerId"];
            /** @description Required if the mode ranks by one number; refused if it ranks by several values. */
            score?: components["schemas"]["Score"];
            /** @description All the values, in place of `score`, if the mode ranks by several. */
            values?: components["schemas"]["Values"];
            /**
             * Format: date
             * @description The date it was played for; the current date in UTC if left out.
             */
            date?: string | null;
            /** @description An officially assigned ISO 3166-1 alpha-2 code, or `XK` for Kosovo. */
            country?: string | null;
            /** @description Groups on whose boards the player's entry of the day counts too, from then on. */
            groups?: components["schemas"]["GroupId"][] | null;
            /** @description The level that was played, if the mode has levels, as for a single score. */
            level?: number | null;
            /** @description Any JSON of up to 2 KiB without white space and 32 levels, as for a single score. */
            details?: components["schemas"]["Json"];
            /**
             * Format: date-time
             * @description When it was played; this orders equal scores. Only the operator may send it; the current time if left out.
             */
            played_at?: string | null;
        } & (unknown | unknown);
        Lookup: {
            players: components["schemas"]["PlayerId"][];
        };
        Ban: {
            /** @description Kept with the ban, for people to read. */
            reason?: string | null;
        };
        ScoreOf: {
            mode: components["schemas"]["ModeName"];
            /** Format: date */
            date: string;
            player: components["schemas"]["PlayerId"];
        };
        Device: {
            player: components["schemas"]["PlayerId"];
            /** @description The token that the device sends, 71 characters. */
            token: string;
        };
        Claim: {
            /** @description The token that `POST /v1/devices` answered. */
            device_token: string;
        };
        Claimed: {
            player: components["schemas"]["PlayerId"];
            device: components["schemas"]["PlayerId"];
            /** Format: date-time */
            claimed_at: string;
            /** @description The device's days that have become the player's, by date. */
            merged: components["schemas"]["ClaimedDay"][];
        };
        ClaimedDay: {
            mode: string;
            /** Format: date */
            date: string;
            /**
             * @description `accepted`: the player had no entry that day. `improved`: the player's entry has changed. `kept`: it has
             *     not.
             * @enum {string}
             */
            status: "accepted" | "improved" | "kept";
            /** @description The player's entry afterwards. */
            score: number;
            values?: components["schemas"]["Values"];
        };
        Removal: {
            player: components["schemas"]["PlayerId"];
            /** @description On how many boards in Redis the player's entry was changed or removed; 0 if nothing was left to do. */
            boards: number;
            /** @description How many results were removed from the archive. */
            results: number;
            /** @description Keys of boards that were left as they were: some of their days have left Redis, and there is no archive. */
            left: string[];
        };
        Erasure: {
            player: components["schemas"]["PlayerId"];
            /** @description On how many boards in Redis the player was; 0 if nothing was left to do. */
            boards: number;
            /** @description How many results were removed from the archive. */
            results: number;
            /** @description Always empty. */
            left: string[];
            /** @description Whether anything was known of the player. */
            known: boolean;
        };
        KeptHeld: {
            mode: components["schemas"]["ModeName"];
            /** Format: date */
            date: string;
            score: number;
            values?: components["schemas"]["Values"];
            /** @description The scopes besides `global`. */
            scopes?: string[];
            details?: components["schemas"]["Json"];
            /**
             * Format: date-time
             * @description When it was played.
             */
            at: string;
        };
        /** @description The fields from `known` to `ban` are on the first page only. */
        PlayerDocument: {
            player: components["schemas"]["PlayerId"];
            /** Format: date-time */
            read_at: string;
            /** @description Which stores were read. */
            sources: ("redis" | "database")[];
            /** @description Whether anything is kept besides entries of the audit. */
            known?: boolean;
            profile?: components["schemas"]["Profile"];
            /** @description Like `level`, left out if the game gives no XP and none is kept. */
            xp?: number;
            level?: number;
            /** @description Left out if the game counts no streaks and none is kept. */
            streak?: components["schemas"]["Streak"];
            /** @description Unrounded. Null for a player without a rating. */
            duel_rating?: number | null;
            /** @description Counted only in games with a provisional K. */
            duels_begun?: number;
            /** @description The groups that the player belongs to. */
            groups?: string[];
            /**
             * @description In games with activity: of the acts that are kept, how many the player has a part in, by day and group;
             *     the boards of these days can still change.
             */
            activity?: components["schemas"]["ActiveDay"][];
            /** @description The groups that the player has ever played in. */
            groups_played?: string[];
            friends?: components["schemas"]["KeptRelations"];
            requests_received?: components["schemas"]["KeptRelations"];
            requests_sent?: components["schemas"]["KeptRelations"];
            blocked?: string[];
            /** @description Without their codes, which are not kept. */
            invites?: {
                /** Format: date-time */
                made_at: string;
                /** Format: date-time */
                expires_at: string;
                uses_left: number;
            }[];
            /** @description Devices that the player has claimed; without a database those of the last day. */
            devices?: {
                device: string;
                /** Format: date-time */
                claimed_at: string;
            }[];
            /** @description Devices that were ever claimed, newest first. Of a device only a digest is kept. Empty without a database. */
            claims?: {
                digest: string;
                /** Format: date-time */
                claimed_at: string;
                merged: {
                    mode: string;
                    /** Format: date */
                    date: string;
                    /** @enum {string} */
                    status: "accepted" | "improved" | "kept";
                    score: number;
                    values?: components["schemas"]["Values"];
                }[];
            }[];
            /** @description Scores that wait for an operator; left out if there are none. */
            held?: components["schemas"]["KeptHeld"][];
            /** @description By currency. */
            wallets?: {
                [key: string]: components["schemas"]["Wallet"];
            };
            /** @description Null for a player who is not banned. Without a database it has no fields. */
            ban?: components["schemas"]["KeptBan"] | null;
            /** @description Newest first. */
            results: components["schemas"]["KeptResult"][];
            /** @description Every score as it was submitted, newest first, if the game keeps them. */
            submissions: components["schemas"]["KeptSubmission"][];
            /** @description What each submission did, newest date first, in games with an `audit`; left out if nothing is recorded. */
            score_audit?: components["schemas"]["AuditedScore"][];
            /** @description Newest first. */
            duels: components["schemas"]["Duel"][];
            /** @description Races that have started and are over, newest first, from the database. */
            races?: components["schemas"]["KeptRace"][];
            /** @description Spends, newest first, from the database. */
            spends?: components["schemas"]["KeptSpend"][];
            /** @description Weeks of leagues, newest first, from the database. */
            leagues?: components["schemas"]["KeptLeague"][];
            /** @description Badges by the rules of the game, rules that it no longer has included, newest first, from the database. */
            badges?: components["schemas"]["KeptBadge"][];
            /** @description Newest first. */
            achievements: components["schemas"]["Achievement"][];
            /** @description What was done to or by the player, newest first. */
            audit: components["schemas"]["Act"][];
            next: components["schemas"]["NextPage"];
        };
        ActiveDay: {
            group: string;
            /** Format: date */
            date: string;
            acts: number;
        };
        KeptRace: {
            id: string;
            /** @enum {string} */
            state: "decided" | "expired";
            mode: string;
            /** @description All players of the race, this one included. An erased player is `erased`. */
            players: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            starts_at: string;
            /** Format: date-time */
            decided_at: string;
            /** @description The player gave up. */
            left?: boolean;
            /** @description Left out if the player has no result. */
            score?: number;
            values?: components["schemas"]["Values"];
            /** @description From 1; left out if no rating has moved. */
            place?: number;
            /** @description Unrounded. */
            rating?: {
                before: number;
                after: number;
            };
        };
        /** @description A week of a league. One that is not settled has only its cohort. Tiers, paces and cohorts count from 0. */
        KeptLeague: {
            week: string;
            tier_index: number;
            pace: number;
            cohort: number;
            xp?: number;
            rank?: number;
            /** @description How many players the cohort had. */
            players?: number;
            zone?: components["schemas"]["LeagueZone"];
            tier_index_after?: number;
            reward?: string;
        };
        KeptSpend: {
            id: string;
            currency: string;
            amount: number;
            /** @description What it was spent on, in the application's words; empty if it did not say. */
            item: string;
            /** Format: date-time */
            at: string;
        };
        KeptBadge: {
            /** @description The name of the rule in the game file. */
            id: string;
            /** @description There if the game still has the rule. */
            title?: string;
            /** Format: date */
            earned: string;
            mode?: string;
            period?: string;
            period_key?: string;
            /**
             * @description There if an operator has taken the badge, which is shown nowhere else.
             * @constant
             */
            taken?: true;
            scope?: string;
        };
        KeptRelations: {
            player: string;
            /** Format: date-time */
            since?: string;
        }[];
        OwnResults: {
            player: components["schemas"]["PlayerId"];
            /**
             * @description What each result is: an accepted play, or the entry of one day of a mode.
             * @enum {string}
             */
            each: "play" | "day";
            /**
             * @description There if no database keeps results beyond the life of their day boards.
             * @enum {string}
             */
            history?: "unavailable";
            results: components["schemas"]["OwnResult"][];
            /** @description The `cursor` of the next page. */
            next: string | null;
        };
        OwnResult: {
            mode: components["schemas"]["ModeName"];
            /** Format: date */
            date: string;
            /** @description In a mode that ranks by several values, the whole number that they are packed into. */
            score: number;
            /** @description The values of the score by name, in a mode that ranks by several. */
            values?: {
                [key: string]: number;
            };
            /**
             * Format: date-time
             * @description When it was played; for a day's entry at most a second late. Left out if the mode adds plays up and this
             *     is a day's entry.
             */
            played_at?: string;
            /** @description What was sent with the score. */
            details?: Record<string, never>;
        };
        OwnRanks: {
            player: components["schemas"]["PlayerId"];
            mode: components["schemas"]["ModeName"];
            /**
             * @description There if no database keeps closed days.
             * @enum {string}
             */
            history?: "unavailable";
            ranks: components["schemas"]["OwnRank"][];
        };
        OwnRank: {
            /** Format: date */
            date: string;
            /** @description Left out above 10,000. */
            rank?: number;
            /** @description In a mode that ranks by several values, the whole number that they are packed into. */
            score: number;
            values?: components["schemas"]["Values"];
        };
        KeptResult: {
            mode: components["schemas"]["ModeName"];
            /** Format: date */
            date: string;
            score: number;
            values?: components["schemas"]["Values"];
            /** @description The scopes besides `global`. */
            scopes?: string[];
            details?: components["schemas"]["Json"];
        };
        KeptSubmission: {
            mode: components["schemas"]["ModeName"];
            /** Format: date */
            date: string;
            score: number;
            values?: components["schemas"]["Values"];
            /** @description The scopes besides `global`. */
            scopes?: string[];
            details?: components["schemas"]["Json"];
            /** Format: date-time */
            at: string;
        };
        KeptBan: {
            /** @description A digest if the player has been erased. */
            player?: string;
            reason?: string;
            /** Format: date-time */
            at?: string;
            by?: string;
        };
        Act: {
            /** @description The id of the request. */
            id: string;
            /** Format: date-time */
            at: string;
            /**
             * @description Who did it: `operator` or `operator NAME`, a player's id, or the name of the program or schedule. A digest for an erased
             *     player.
             */
            actor: string;
            action: string;
            player?: string;
            mode?: string;
            /** Format: date */
            date?: string;
            detail?: {
                [key: string]: components["schemas"]["Json"];
            };
        };
        KeptBans: {
            total: number;
            /** @enum {string} */
            source: "database" | "redis";
            bans: components["schemas"]["KeptBan"][];
            next: components["schemas"]["NextPage"];
        };
        NamedPlayers: {
            players: components["schemas"]["NamedPlayer"][];
            next: components["schemas"]["NextPage"];
        };
        NamedPlayer: {
            player: components["schemas"]["PlayerId"];
            name: string;
            /** Format: uri */
            picture?: string;
            country?: components["schemas"]["CountryCode"];
            /** @description Others see neither name nor picture. */
            hidden?: boolean;
            /**
             * Format: date
             * @description The newest date with a result in the database. Left out if there is none.
             */
            last_played?: string;
        };
        Log: {
            entries: components["schemas"]["Act"][];
            next: components["schemas"]["NextPage"];
        };
        ScoreAudit: {
            entries: components["schemas"]["AuditedScore"][];
            next: components["schemas"]["NextPage"];
        };
        AuditedScore: {
            /**
             * Format: date-time
             * @description When Redis took it, to a millisecond.
             */
            at: string;
            mode: components["schemas"]["ModeName"];
            /** Format: date */
            date: string;
            /** @description A digest for an erased player. Left out in a player's own document. */
            player?: string;
            /** @description The score as it was sent. */
            score: number;
            values?: components["schemas"]["Values"];
            /** @description The player's entry before. Null if there was none, and if the outcome is `unknown`. */
            before: number | null;
            before_values?: components["schemas"]["Values"];
            /** @description The player's entry afterwards. Null if there is none, and if the outcome is `unknown`. */
            after: number | null;
            after_values?: components["schemas"]["Values"];
            /**
             * @description `accepted`: the first entry. `improved`: the entry changed. `kept`: it did not. `replayed`: the score was
             *     already there, or the key of a sum had already counted. `refused`: the day's total would have left its
             *     bounds. `unknown`: it is not known what the entry was before.
             * @enum {string}
             */
            outcome: "accepted" | "improved" | "kept" | "replayed" | "refused" | "unknown";
            /** @description The kind of credential. Null if it is not known. */
            sent_by: ("player" | "device" | "server" | "operator") | null;
            /**
             * Format: date-time
             * @description The moment that orders equal scores.
             */
            played_at: string;
        };
        Statistics: {
            /** @description Players with a profile. */
            players: number;
            /** @description Players with a result on one of the last 7 dates, today included. */
            active_7: number;
            /** @description Banned players. */
            banned: number;
            /** @description Oldest first. Dates without results are left out. */
            days: components["schemas"]["PlayedDay"][];
        };
        PlayedDay: {
            /** Format: date */
            date: string;
            /** @description Players with a result in any mode. */
            players: number;
            /** @description Players with a result, by mode. */
            results: {
                [key: string]: number;
            };
            /** @description Accepted plays, in games with an outbox. */
            plays?: number;
        };
        /** @description The `cursor` of the next page. Null on the last one. */
        NextPage: string | null;
        Health: {
            /** @constant */
            redis: "ok";
            /** @description The release of the build that answers, or its commit, or `unknown`. */
            version: string;
            /** @description The commit that the build was made from, if it is known. */
            revision?: string;
            /** @description How long Redis took to answer, network time included. */
            redis_milliseconds: number;
            /** @description How many keys Redis has, if the request asked for it. */
            keys?: number;
            /**
             * @description `none`: no database is configured. `behind`: its tables are older than this build or missing; `detail`
             *     names the pending migrations.
             * @enum {string}
             */
            database: "ok" | "none" | "behind" | "unreachable";
            /** @description What to do about the database. */
            detail?: string;
            /**
             * @description The address of this request as limits see it; for IPv6 the /64. If it is not the caller's address,
             *     `TRUSTED_PROXY_HOPS` is wrong.
             */
            address?: string;
            /** @description Who asks, and what the role allows. */
            operator: {
                /** @description As in the audit, `operator` or `operator NAME`. */
                actor: string;
                /** @enum {string} */
                role: "read" | "moderate" | "administer";
            };
        };
        Status: {
            /** Format: date-time */
            now: string;
            game: string;
            /** @description The version of this build. */
            version: string;
            /** @description Whether there are no problems. */
            good: boolean;
            problems: {
                what: string;
                /** @description How to solve it. */
                do: string;
            }[];
            /**
             * @description How the answering process reaches Redis. While its circuit is `open`, calls fail at once except for one
             *     now and then, and the answer lacks what only Redis knows: `schedules` and the lists of `days` are empty,
             *     the figures of `spent` are 0, and `writes.taken` is false.
             */
            redis: {
                /** @enum {string} */
                circuit: "closed" | "open";
                /** @description How many calls in a row Redis has not answered. */
                failures: number;
                /**
                 * Format: date-time
                 * @description When the first of them failed; null if there are none.
                 */
                since: string | null;
                /** @description The error of the last of them; empty if there are none. */
                last_error: string;
            };
            /**
             * @description Messages that somebody has to look at. Null if there is no such queue, or if it could not be read, which
             *     is then listed as a problem.
             */
            dead_letters: {
                /** @description Scheduled runs that failed three times. */
                failed_runs: number | null;
                /** @description Scores that a deployment in queue mode could not write. */
                queued_scores: number | null;
            };
            /** @description Whether writes are taken. */
            writes: {
                taken: boolean;
                /** @description The current maintenance; null if there is none. */
                maintenance: {
                    /**
                     * Format: date-time
                     * @description Null if maintenance was switched on by a deployment.
                     */
                    since: string | null;
                    /**
                     * Format: date-time
                     * @description Null if maintenance was switched on by a deployment.
                     */
                    until: string | null;
                    reason: string;
                } | null;
                /**
                 * @description Rules of this build that do not fit what is stored, such as `modes.daily_frame.order`, with both
                 *     values. Empty if all fit.
                 */
                refused_rules: string[];
            };
            database: {
                /**
                 * @description `empty`: no tables. `behind`: tables of an older build; both need `lbctl migrate`. `failing`: it
                 *     answers with an error, for example if single tables are missing.
                 * @enum {string}
                 */
                state: "ok" | "none" | "empty" | "behind" | "failing" | "unreachable";
                /** @description The newest migration that was applied to the database; 0 if none was. */
                schema: number;
                /** @description The migration that this build needs, the newest that it knows. */
                needs: number;
            };
            schedules: {
                function: string;
                last: components["schemas"]["ScheduledRun"];
                last_good: components["schemas"]["ScheduledRun"];
                /** Format: date-time */
                next: string;
                /** @description Whether the schedule was due more than an hour ago and has not succeeded since. */
                late: boolean;
            }[];
            /** @description Days by mode and date, as in `daily_frame 2026-11-21`. */
            days: {
                /** @description Dates that take scores now. */
                open: string[];
                /** @description Days that have ended and are not closed yet. */
                unclosed: string[];
                /** @description Days that are closed, still in Redis, and not in the archive. */
                unarchived: string[];
                /** @description Days that are in the archive and should be in Redis but are not, as after a loss of Redis. */
                missing: string[];
                /** @description Days that expired before they were rolled up. */
                lost: string[];
                /** @description The newest of the dates that Redis knows which is completely archived; empty if none is. */
                archived: string;
            };
            /** @description How the last repair of boards that Redis had lost ended. Left out if there was none. */
            repaired?: components["schemas"]["ScheduledRun"];
            /**
             * @description How webhooks to other programs are doing, by endpoint and event. Left out if the game has none, or if none
             *     was sent yet.
             */
            webhooks?: {
                endpoint: string;
                event: string;
                /** @description Events that have not been delivered yet. */
                waiting: number;
                /** @description Events that were given up. */
                dead: number;
                /** @description How often delivery has failed in a row. */
                failures: number;
                /** @description The last failure; empty if there is none. */
                error: string;
                /**
                 * Format: date-time
                 * @description Since when the oldest undelivered event has waited; null if none waits.
                 */
                oldest: string | null;
            }[];
            /** @description What was spent, in billed commands. */
            spent: {
                today: number;
                projected_month: number;
                /** @description Commands a month; 0 if Redis is not Upstash's and bills none. */
                plan: number;
                /** @description The projected month as a share of the plan; 1 is all of it. */
                share: number;
                /**
                 * @description How far the product's count for the newest compared day is from Upstash's own, as a fraction; null if
                 *     no day was compared.
                 */
                drift: number | null;
                /** @description The budget measures that the answering process applies. */
                degraded: ("caches" | "refresh" | "features")[];
            };
        };
        /** @description How the last run ended; null if there was none. */
        ScheduledRun: {
            /** Format: date-time */
            due: string;
            /** Format: date-time */
            ended: string;
            milliseconds: number;
            /** @description Left out if it succeeded. */
            error?: string;
        } | null;
        DeadLetters: {
            /** @description Scheduled runs that failed three times; null if runs have no dead-letter queue. */
            failed_runs: components["schemas"]["DeadQueue"] | null;
            /** @description Queued scores that could not be written in 20 attempts; null if the deployment does not queue scores. */
            queued_scores: components["schemas"]["DeadQueue"] | null;
        };
        DeadQueue: {
            count: number;
            /** @description Whether the messages can be sent back. */
            redrive: boolean;
            /** @description Some of the messages, in no order. */
            samples: components["schemas"]["DeadLetter"][];
        };
        DeadLetter: {
            /** @description The function's log names it as `message`. */
            id: string;
            /**
             * Format: date-time
             * @description When it entered its first queue.
             */
            sent_at: string;
            age_seconds: number;
            /** @description How often it was received, reads like this one included. */
            receives: number;
            /**
             * @description Why the run failed, as far as Lambda says, or why the score cannot be read. Left out if only the log
             *     knows.
             */
            reason?: string;
            /** @description At most 4096 bytes of the message: the event of a run, or a score with its player. */
            message: string;
        };
        Redrive: {
            /** @description How many messages there were. */
            sent_back: number;
        };
        Usage: {
            days: components["schemas"]["UsageDay"][];
            /**
             * @description Commands of this whole month at the pace of the last 7 past days, counted from the first one with any
             *     calls; if there is none, at the pace of today so far.
             */
            projected_month: number;
            plan: components["schemas"]["UsagePlan"];
            bill: components["schemas"]["UsageBill"];
            what_if?: components["schemas"]["UsageWhatIf"];
            budget?: components["schemas"]["UsageBudget"];
        };
        /**
         * @description What a month would cost with other numbers of daily players: what schedules and the operator use stays the
         *     same, all else grows with the players. Left out if no score shows how many players there are.
         */
        UsageWhatIf: {
            /** @description How many players a day has now. */
            players: number;
            /**
             * @description Whether `players` was estimated: the scores of a day that changed a board, divided by the 2.55 that a
             *     player sends, or by the number of modes if that is smaller.
             */
            guessed: boolean;
            /** @description Billed commands of a month. */
            month: {
                /** @description Commands that do not depend on the number of players. */
                fixed: number;
                /** @description Commands for each daily player. */
                a_player: number;
            };
            months: components["schemas"]["UsageMonth"][];
        };
        /**
         * @description A month with this many daily players, on the cheapest plans, with 19 KB in Redis for each player. What
         *     Postgres stores is not counted.
         */
        UsageMonth: {
            players: number;
            commands: number;
            /** @description Like `bill`, and with what is stored in Redis. */
            dollars: number;
            dollars_without_free_tiers: number;
            /** @description The commands only, pay as you go. */
            commands_dollars: number;
            /** @description By vendor. */
            plans: {
                [key: string]: string;
            };
        };
        /**
         * @description What this whole month costs at the same pace and at list prices, in US dollars, with each vendor's cheapest
         *     plan that suffices. What calls use of AWS is known for the last days only, and only if functions run on
         *     Lambda.
         */
        UsageBill: {
            /**
             * Format: date
             * @description The date of the price list.
             */
            prices: string;
            dollars: number;
            /** @description With the cheapest paid plans and no free tiers. */
            dollars_without_free_tiers: number;
            /** @description By vendor. */
            plans: {
                [key: string]: string;
            };
            lines: components["schemas"]["UsageBillLine"][];
            /** @description Vendors for which nothing is known, and single items of others. */
            not_counted: string[];
        };
        UsageBillLine: {
            vendor: string;
            /** @description Such as `lambda_requests`; `plan` is the fixed price of the plan. */
            item: string;
            quantity: number;
            unit: string;
            dollars: number;
            dollars_without_free_tiers: number;
        };
        UsageDay: {
            /** Format: date */
            date: string;
            commands: number;
            round_trips: number;
            /** @description The day's commands as Upstash counted them; left out if that is not known. */
            upstash?: number;
            /**
             * @description How far the product's count was from Upstash's at the last comparison, as a fraction of the larger one:
             *     -0.1 if the product's count misses one in ten. Left out for days on which neither count reaches 1000.
             */
            drift?: number;
            /**
             * @description True if the counts differ by more than 5%, else left out.
             * @constant
             */
            drifts?: true;
            by_function: {
                [key: string]: components["schemas"]["FunctionUsage"];
            };
            /**
             * @description By the pattern of the route, such as `POST /v1/scores`. Besides routes there are `schedule`; `other` for
             *     stray requests; `live` for the reads of boards that are streamed; `counters` for the counting itself; and
             *     `unknown` for what an earlier version counted.
             */
            by_route?: {
                [key: string]: components["schemas"]["UsageShare"];
            };
            /**
             * @description By who caused it: `player`, `server` and the id of its signing key (the first 8 hex digits of the key's
             *     SHA-256), `operator`, `clerk`, `anonymous` (no credential, or a device's), `schedule`, `queue`, `viewers`
             *     of live boards, `counters`, `unknown`.
             */
            by_caller?: {
                [key: string]: components["schemas"]["UsageShare"];
            };
            /** @description Only the scheduled functions, by name. */
            by_schedule?: {
                [key: string]: components["schemas"]["UsageShare"];
            };
        };
        UsageShare: {
            calls: number;
            commands: number;
            round_trips: number;
            /** @description Answered with 500 and above. Left out for days from the archive, which counts it by function only. */
            failed?: number;
            /** @description Answered with 429 or 503. Left out for days from the archive. */
            throttled?: number;
            /**
             * @description For a route: the most commands that a call costs once its process has served one like it before, as the
             *     product's own tests assert. A higher mean says that processes do not live long enough to remember
             *     anything, or that many requests come at once.
             */
            budget?: number;
        };
        FunctionUsage: {
            calls: number;
            commands: number;
            round_trips: number;
            /** @description Bodies only. */
            bytes_sent: number;
            /** @description Bodies only. */
            bytes_received: number;
            /** @description Answered with 500 and above. */
            failed: number;
            /** @description Answered with 429 or 503. */
            throttled: number;
            /** @description Answered with the answer that an idempotency key had kept. */
            replayed: number;
            /** @description Scores that changed a board. */
            accepted: number;
            /** @description Queries to Postgres. */
            queries: number;
            /** @description Rows that Postgres returned or changed. */
            rows: number;
        };
        /** @description Upstash's plan; the free one unless the deployment names another. 0 commands if Redis is not Upstash's and bills none. */
        UsagePlan: {
            /** @default 500000 */
            commands: number;
            /** @description The projected month as a fraction of the plan; 1 is all of it. */
            share: number;
        };
        /**
         * @description The game's budget, left out if it has none, and what follows from it for a process that asks now. Other
         *     processes may act on figures that are 5 minutes old.
         */
        UsageBudget: {
            /** @description The commands that a calendar month may cost. */
            month: number;
            /** @description What the month's days before today have cost. */
            month_before: number;
            today: number;
            /** @description What today may cost: an equal share, for each day left, of what the month has left. */
            allowance: number;
            /** @description How much of today's allowance may be spent by now: a quarter at once, the rest evenly over the day. */
            by_now: number;
            /** @description What today has cost, as a fraction of `by_now`; 1 is all of it. */
            pace: number;
            /** @description How many measures are in force. */
            level: number;
            /** @description Which ones. */
            degraded: ("caches" | "refresh" | "features")[];
        };
        Result: {
            mode: components["schemas"]["ModeName"];
            /** Format: date */
            date: string;
            player: components["schemas"]["PlayerId"];
            /**
             * @description `accepted`: the player's first entry. `improved`: the entry changed. `kept`: an earlier entry remains.
             *     `replayed`: this same request had its effect before.
             * @enum {string}
             */
            status: "accepted" | "improved" | "kept" | "replayed";
            /** @description The score of the player's entry now. */
            score: components["schemas"]["Score"];
            /** @description The values of `score`, if the mode ranks by several. */
            values?: components["schemas"]["Values"];
            /** @description The score as it was sent. */
            submitted: components["schemas"]["Score"];
            /** @description The values of `submitted`, if the mode ranks by several. */
            submitted_values?: components["schemas"]["Values"];
            /** @description There if the play belongs to a race. */
            race?: {
                id: components["schemas"]["DuelName"];
                /** @description Whether the score counts for the race; false if the race was over, or the player had left it. */
                counted: boolean;
            };
            /** @description Exact at the moment of the write. Left out in a batch for boards of more than 5000 players. */
            rank?: components["schemas"]["Rank"];
            /** @description How many players are on the board; may be 10 seconds old, but is never lower than the rank. */
            total?: number;
            /** @description The share of players at or below this one, in percent; 100 for the first alone. */
            percentile?: components["schemas"]["Percent"];
            /** @description The key of the board in Redis. */
            board: string;
            /** @description The XP that the day gives for the player's entry now. In modes with plays that give XP; never in a batch. */
            xp?: number;
            /** @description The player's streak, this day included. In modes with plays, if the game counts streaks; never in a batch. */
            streak?: components["schemas"]["Streak"];
            /** @description What the play has earned, by currency. In modes with plays that earn currency; never in a batch. */
            earned?: {
                [key: string]: number;
            };
            /** @description The parts that the request asked for in `view`. Never in a batch. */
            view?: components["schemas"]["View"];
        };
        QueuedResult: {
            mode: components["schemas"]["ModeName"];
            /** Format: date */
            date: string;
            player: components["schemas"]["PlayerId"];
            /**
             * @description `queued`: it will be written. `held`: an operator has to let it pass first.
             * @enum {string}
             */
            status: "queued" | "held";
            /** @description The score as it was sent. */
            submitted: components["schemas"]["Score"];
            /** @description The values of `submitted`, if the mode ranks by several. */
            submitted_values?: components["schemas"]["Values"];
            /** @description Null if the request asked for a view, since the score is on no board yet; else left out. */
            view?: null;
        };
        RankedResult: components["schemas"]["Result"] & {
            rank: components["schemas"]["Rank"];
            total: number;
            percentile: components["schemas"]["Percent"];
        };
        /** @enum {string} */
        ViewPart: "page" | "around" | "friends" | "week" | "me";
        /**
         * @description The parts that `view` asked for, read after the score was written; a retry with the same `Idempotency-Key`
         *     reads them again. A part that cannot be read is null, and `problems` says why: the score counts all the same.
         */
        View: {
            page?: components["schemas"]["Page"] | null;
            around?: components["schemas"]["Surroundings"] | null;
            friends?: components["schemas"]["FriendsBoard"] | null;
            week?: components["schemas"]["Card"] | null;
            me?: components["schemas"]["OwnStanding"] | null;
            /** @description For each part that is null, why. */
            problems?: {
                page?: components["schemas"]["Problem"];
                around?: components["schemas"]["Problem"];
                friends?: components["schemas"]["Problem"];
                week?: components["schemas"]["Problem"];
                me?: components["schemas"]["Problem"];
            };
        };
        BatchResults: {
            results: components["schemas"]["BatchResult"][];
        };
        EventResults: {
            /** @description Events that count from now on. */
            new: number;
            /** @description Events that were sent before, or that add nothing to others of their day. */
            known: number;
            /** @description Events that do not count, and never will. */
            refused: components["schemas"]["RefusedEvent"][];
        };
        RefusedEvent: {
            /** @description The event's place in the batch, from 0. */
            index: number;
            /** @enum {string} */
            reason: "unreadable" | "bad_id" | "unknown_type" | "unknown_group" | "bad_players" | "bad_time" | "future" | "sealed" | "banned" | "deleted" | "too_many";
            /** @description A text for people. */
            detail: string;
        };
        /** @description The result of one score of a batch. A refused score has only `problem`. */
        BatchResult: components["schemas"]["Result"] | components["schemas"]["FailedScore"];
        FailedScore: {
            problem: components["schemas"]["Problem"];
        };
        Entry: {
            rank: components["schemas"]["Rank"];
            player: components["schemas"]["PlayerId"];
            score: components["schemas"]["Score"];
            values?: components["schemas"]["Values"];
            name?: string;
            /** Format: uri */
            picture?: string;
            country?: components["schemas"]["CountryCode"];
            /**
             * @description True on the caller's own row, if a session or device token was sent; else left out.
             * @constant
             */
            me?: true;
        };
        Nothing: Record<string, never>;
        FriendRequest: {
            player: components["schemas"]["PlayerId"];
        };
        Friendship: {
            player: components["schemas"]["PlayerId"];
            /** @enum {string} */
            status: "requested" | "friends";
        };
        Relation: {
            player: components["schemas"]["PlayerId"];
            name?: string;
            /** Format: uri */
            picture?: string;
            country?: components["schemas"]["CountryCode"];
            /**
             * Format: date-time
             * @description Since when there is the friendship or the request; left out for blocks and invites.
             */
            since?: string;
        };
        Friends: {
            friends: components["schemas"]["Relation"][];
            /** @description Requests that the caller may answer. */
            received: components["schemas"]["Relation"][];
            /** @description The caller's requests that wait for an answer. */
            sent: components["schemas"]["Relation"][];
            blocked: components["schemas"]["Relation"][];
        };
        InviteRequest: {
            /** @description How many players may become friends by it; 10 if left out. */
            uses?: number | null;
        };
        Invite: {
            code: string;
            /** Format: date-time */
            expires_at: string;
            uses: number;
        };
        FriendsBoard: {
            mode: components["schemas"]["ModeName"];
            period: components["schemas"]["Period"];
            key: components["schemas"]["PeriodKey"];
            scope: components["schemas"]["Scope"];
            /** @description How many of these players are on the board. */
            total: components["schemas"]["Total"];
            /** Format: date-time */
            updated_at: string;
            closed: boolean;
            /** @description Ranked among themselves, best first. */
            entries: components["schemas"]["Entry"][];
        };
        /**
         * @description An event as Clerk writes it, with the members that are read; Clerk sends more. Events of other types get the
         *     same answer and have no effect.
         */
        ClerkEvent: {
            /** @enum {string} */
            type: "user.created" | "user.updated";
            data: {
                id: components["schemas"]["PlayerId"];
                username?: string | null;
                first_name?: string | null;
                last_name?: string | null;
                image_url?: string | null;
                public_metadata?: {
                    country?: components["schemas"]["Json"];
                } | null;
                /** @description Milliseconds since 1970. */
                updated_at: number;
            };
        } | {
            /** @enum {string} */
            type: "user.deleted";
            data: {
                id: components["schemas"]["PlayerId"];
            };
        } | {
            /** @enum {string} */
            type: "organizationMembership.created" | "organizationMembership.updated" | "organizationMembership.deleted";
            /** @description When it ended, in milliseconds since 1970. */
            timestamp?: number;
            data: {
                id: string;
                organization: {
                    id: components["schemas"]["GroupId"];
                };
                public_user_data: {
                    user_id: components["schemas"]["PlayerId"];
                };
                /** @description Milliseconds since 1970. */
                updated_at: number;
            };
        };
        Received: {
            /** @constant */
            received: true;
        };
        /**
         * @description There if the period has left Redis and no history is kept: the board is empty then, even if players had
         *     entries on it.
         * @constant
         */
        Unkept: "unavailable";
        /**
         * @description There while Redis refuses (it cannot be reached, or the plan's commands are used up). The answer is then from
         *     memory or from the history, as it was at `updated_at`. And there if the board is not whole, since Redis or a
         *     day was lost: then it is as old as `updated_at` says.
         * @constant
         */
        Stale: true;
        Page: {
            mode: components["schemas"]["ModeName"];
            period: components["schemas"]["Period"];
            key: components["schemas"]["PeriodKey"];
            scope: components["schemas"]["Scope"];
            total: components["schemas"]["Total"];
            /**
             * Format: date-time
             * @description When the standings were read.
             */
            updated_at: string;
            /** @description The period takes no more scores. */
            closed: boolean;
            stale?: components["schemas"]["Stale"];
            entries: components["schemas"]["Entry"][];
            /** @description The `cursor` of the next page. Left out at the end of the board. */
            next_cursor?: string;
            history?: components["schemas"]["Unkept"];
        };
        Distribution: {
            mode: components["schemas"]["ModeName"];
            period: components["schemas"]["Period"];
            key: components["schemas"]["PeriodKey"];
            scope: components["schemas"]["Scope"];
            /**
             * Format: int64
             * @description How many players all buckets have together.
             */
            total: number;
            /**
             * Format: date-time
             * @description When the players were counted.
             */
            updated_at: string;
            /** @description The period takes no more scores. */
            closed: boolean;
            stale?: components["schemas"]["Stale"];
            /** @description Lowest numbers first. */
            buckets: components["schemas"]["Bucket"][];
            me?: components["schemas"]["OwnBucket"];
            history?: components["schemas"]["Unkept"];
        };
        WorldBoard: {
            mode: components["schemas"]["ModeName"];
            period: components["schemas"]["Period"];
            key: components["schemas"]["PeriodKey"];
            /** @constant */
            scope: "world";
            /**
             * Format: int64
             * @description Players at all sites; a player who plays at several counts once at each.
             */
            total: number;
            /**
             * Format: int64
             * @description How many entries the board has, 10,000 at most.
             */
            ranked: number;
            /**
             * Format: date-time
             * @description The oldest `as_of` of the sites that are not down.
             */
            updated_at: string;
            /** @description The period takes no more scores. */
            closed: boolean;
            /** @description By name. */
            sites: components["schemas"]["Site"][];
            entries: components["schemas"]["Entry"][];
            /** @description The `cursor` of the next page. Left out at the end of the board. */
            next_cursor?: string;
            me?: components["schemas"]["OwnInWorld"];
        };
        /** @description A deployment that merges its boards with others. */
        Site: {
            name: string;
            /**
             * Format: int64
             * @description How many players are on the site's own board.
             */
            players: number;
            /**
             * Format: date-time
             * @description The site's board is as it was at this time, or newer. Left out if nothing is known of it.
             */
            as_of?: string;
            /** @description Whether the site has not been heard of for more than 16 minutes. */
            down: boolean;
        };
        /** @description The caller's place. Left out without a token, and if the caller has no entry at any site. */
        OwnInWorld: {
            /** @description Null for a caller behind the ranked entries. */
            rank: components["schemas"]["Rank"] | null;
            score: components["schemas"]["Score"];
            values?: components["schemas"]["Values"];
            /** @description The share of players at or below the caller, in percent; 100 for the first alone. */
            percentile: components["schemas"]["Percent"];
            /** @description The caller and all players who are better, as a share of the total, in percent. */
            top_percent: components["schemas"]["Percent"];
        };
        /** @description How many players have a score from one number to another, both included. */
        Bucket: {
            from: number;
            to: number;
            /** Format: int64 */
            players: number;
        };
        /** @description Where the caller is. Left out without a token, and for a caller who is not on the board. */
        OwnBucket: {
            /** @description The index of the caller's bucket, from 0. */
            bucket: number;
            score: number;
            values?: components["schemas"]["Values"];
            /** Format: int64 */
            rank: number;
            /** @description The share of players at or below the caller, in percent; 100 for the first alone. */
            percentile: components["schemas"]["Percent"];
            /** @description The rank as a share of the total, in percent. */
            top_percent: components["schemas"]["Percent"];
        };
        /** @description How a player is shown. Fields that are not known are left out. */
        Profile: {
            name?: string;
            /** Format: uri */
            picture?: string;
            country?: components["schemas"]["CountryCode"];
            /** @description Others see neither name nor picture. */
            hidden: boolean;
        };
        Me: {
            player: components["schemas"]["PlayerId"];
            /**
             * @description The XP of all days and modes, today included. Always there in a game that gives XP, like `level`,
             *     `next_level_xp` and `xp_rank`.
             */
            xp?: number;
            level?: number;
            /** @description The XP at which the next level begins. */
            next_level_xp?: number;
            /** @description The rank on the board `xp`; null for a player who is not on it yet. */
            xp_rank?: number | null;
            /** @description Always there, unless the game counts no streaks. */
            streak?: components["schemas"]["Streak"];
            today: components["schemas"]["TodaysRank"][];
            profile: components["schemas"]["Profile"];
            /**
             * @description Newest first: up to 50 by the rules of the game, those that follow from today included, and up to 50 for
             *     places on the boards of weeks, months and seasons, which have a `kind`. Empty if no history is kept.
             */
            badges: components["schemas"]["Badge"][];
            /**
             * @description There if the history cannot be reached at the moment.
             * @constant
             */
            badges_unavailable?: true;
        };
        /** @description A player's XP, level, streak, and ranks of today. */
        OwnStanding: {
            player: components["schemas"]["PlayerId"];
            /**
             * @description The XP of all days and modes, today included. Always there in a game that gives XP, like `level`,
             *     `next_level_xp` and `xp_rank`.
             */
            xp?: number;
            level?: number;
            /** @description The XP at which the next level begins. */
            next_level_xp?: number;
            /** @description The rank on the board `xp`; null for a player who is not on it yet. */
            xp_rank?: number | null;
            /** @description Always there, unless the game counts no streaks. */
            streak?: components["schemas"]["Streak"];
            today: components["schemas"]["TodaysRank"][];
        };
        /** @description Days in a row with at least one accepted score in any mode; a freeze fills a gap. */
        Streak: {
            current: number;
            best: number;
            /**
             * Format: date
             * @description Null for a player who has never played.
             */
            last_played: string | null;
            /** @description Freezes that the player holds; each fills one missed day. */
            freezes: number;
        };
        /**
         * @description A badge by a rule of the game, or, with `kind`, `rank` and `awarded_at`, for a place on the board of a week,
         *     month or season.
         */
        Badge: {
            /** @description The name of the rule in the game file, or the kind. */
            id: string;
            /** @description For display. */
            title: string;
            /**
             * Format: date
             * @description The day on which it was reached, for a longer period its last day; for a place, the day on which it was
             *     given.
             */
            earned: string;
            /** @description The share of all players who have it, in thousandths, as last counted; only for badges by rules. */
            rarity?: number;
            /**
             * @description For a place on the board of a week, month or season: rank 1, 2 to 3, up to 10, up to 100.
             * @enum {string}
             */
            kind?: "champion" | "podium" | "top10" | "top100";
            mode?: components["schemas"]["ModeName"];
            period?: components["schemas"]["Period"];
            period_key?: components["schemas"]["PeriodKey"];
            scope?: components["schemas"]["Scope"];
            rank?: components["schemas"]["Rank"];
            /** Format: date-time */
            awarded_at?: string;
        };
        Achievement: {
            /**
             * @description For a place on the board of a week, month or season: rank 1, 2 to 3, up to 10, up to 100.
             * @enum {string}
             */
            kind: "champion" | "podium" | "top10" | "top100";
            mode: components["schemas"]["ModeName"];
            period: components["schemas"]["Period"];
            period_key: components["schemas"]["PeriodKey"];
            scope: components["schemas"]["Scope"];
            rank: components["schemas"]["Rank"];
            /** Format: date-time */
            awarded_at: string;
        };
        TodaysRank: {
            mode: components["schemas"]["ModeName"];
            /** Format: date */
            date: string;
            rank: components["schemas"]["Rank"];
            score: components["schemas"]["Score"];
            values?: components["schemas"]["Values"];
        };
        ProfileChange: {
            /**
             * @description Up to 80 characters, with a letter or digit, no characters that cannot be seen (but those that shape emoji
             *     and letters), single spaces, and up to three marks on a letter.
             */
            name?: string | null;
            /**
             * @description An https address of up to 512 bytes of printable ASCII, without user information. Its host is a name with a
             *     dot, not an IP address, and not one of a local network.
             */
            picture?: string | null;
            /** @description An officially assigned ISO 3166-1 alpha-2 code, or `XK` for Kosovo. */
            country?: string | null;
            hidden?: boolean | null;
        };
        ChangedProfile: {
            player: components["schemas"]["PlayerId"];
            profile: components["schemas"]["Profile"];
        };
        Surroundings: {
            mode: components["schemas"]["ModeName"];
            period: components["schemas"]["Period"];
            key: components["schemas"]["PeriodKey"];
            scope: components["schemas"]["Scope"];
            total: components["schemas"]["Total"];
            /** Format: date-time */
            updated_at: string;
            closed: boolean;
            stale?: components["schemas"]["Stale"];
            /** @description Of the player; null for a caller who asks for `me` and has no entry. */
            rank: components["schemas"]["Rank"] | null;
            /** @description Of the player; null for a caller who asks for `me` and has no entry. */
            score: components["schemas"]["Score"] | null;
            values?: components["schemas"]["Values"];
            history?: components["schemas"]["Unkept"];
            /** @description Empty for a caller who asks for `me` and has no entry. */
            entries: components["schemas"]["Entry"][];
        };
        Card: {
            mode: components["schemas"]["ModeName"];
            period: components["schemas"]["Period"];
            key: components["schemas"]["PeriodKey"];
            scope: components["schemas"]["Scope"];
            /** @description Null for a caller who asks for `me` and has no entry; so are the score, `percentile` and `top_percent`. */
            rank: components["schemas"]["Rank"] | null;
            player: components["schemas"]["PlayerId"];
            score: components["schemas"]["Score"] | null;
            values?: components["schemas"]["Values"];
            name?: string;
            /** Format: uri */
            picture?: string;
            country?: components["schemas"]["CountryCode"];
            total: components["schemas"]["Total"];
            /** @description The share of players at or below this one, in percent; 100 for the first alone. */
            percentile: components["schemas"]["Percent"] | null;
            /** @description For texts like "top x%": the x. */
            top_percent: components["schemas"]["Percent"] | null;
            /** @description The rank in the period before; null if the player was not on that board. */
            previous_rank: number | null;
            /** @description Ranks gained since the period before, negative for ranks lost; null if there is no previous rank. */
            rank_change: number | null;
            /** @description The details that were sent with the score of the entry. Only on a day's board. */
            details?: components["schemas"]["Json"];
            stale?: components["schemas"]["Stale"];
            /**
             * Format: date-time
             * @description When the standing was read. Only if it is stale.
             */
            updated_at?: string;
            /**
             * @description True on the caller's own card, if a session or device token was sent; else left out.
             * @constant
             */
            me?: true;
            history?: components["schemas"]["Unkept"];
        };
        Found: {
            mode: components["schemas"]["ModeName"];
            period: components["schemas"]["Period"];
            key: components["schemas"]["PeriodKey"];
            scope: components["schemas"]["Scope"];
            entries: components["schemas"]["Entry"][];
        };
        DuelName: string;
        NewDuel: {
            /** @description Only a player may send it. */
            opponent?: components["schemas"]["PlayerId"] | null;
            mode?: components["schemas"]["ModeName"] | null;
            /** @description Only a game server may send it. */
            id?: components["schemas"]["DuelName"] | null;
            /** @description Only a game server may send it, and must: two different players. */
            players?: components["schemas"]["PlayerId"][] | null;
        };
        QueueRequest: {
            mode?: components["schemas"]["ModeName"] | null;
        };
        Acceptance: {
            /** @description If present, the same as the id in the path. */
            invite?: string | null;
        };
        DuelResult: {
            /** @description One of the two players; null for a draw. */
            winner: components["schemas"]["PlayerId"] | null;
            /** @description Rounds won, in the order of the duel's `players`, up to the game's `duels.rounds`. It decides only the points, not the winner. */
            score?: number[] | null;
        };
        Duel: {
            id: components["schemas"]["DuelName"];
            /** @enum {string} */
            status: "waiting" | "ready" | "decided" | "disputed" | "expired";
            /** @description The challenger first. A waiting duel has only the challenger. */
            players: string[];
            /** @description The player who is challenged, while the duel waits. */
            opponent?: string;
            mode?: components["schemas"]["ModeName"];
            /** @description Whoever brings it may accept, once. Shown only to the challenger of an open challenge. */
            invite?: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When a waiting or ready duel ends by itself.
             */
            expires_at?: string;
            /** @description The players who have reported a result, while the duel is not decided. */
            reported?: string[];
            /** @description Null for a draw. It and all fields below are there only when the duel is decided. */
            winner?: string | null;
            score?: number[];
            /** @description By player. */
            ratings?: {
                [key: string]: components["schemas"]["RatingChange"];
            };
            /** @description By player, for rounds, the win and a sweep, as the game file says; for the win alone if `decided_by` is `timeout`. */
            points?: {
                [key: string]: number;
            };
            /**
             * @description By player, the XP that the points are worth; left out in a game that gives no XP. It is added to the
             *     players' XP when the next scheduled run archives the duel.
             */
            xp?: {
                [key: string]: number;
            };
            /** @description How players who have a name are shown; only of a duel that is read by its id. */
            people?: components["schemas"]["Relation"][];
            /** @enum {string} */
            decided_by?: "server" | "players" | "timeout";
            /** Format: date-time */
            decided_at?: string;
        };
        RatingChange: {
            /** @description Unrounded, as is `after`. The two players' changes sum to zero. */
            before: number;
            after: number;
            rank: components["schemas"]["Rank"];
        };
        Duels: {
            duels: components["schemas"]["Duel"][];
            next_cursor?: string;
            /** @description How players who have a name are shown. */
            people?: components["schemas"]["Relation"][];
        };
        Queue: {
            /** @enum {string} */
            status: "queued" | "left";
            mode?: components["schemas"]["ModeName"];
            /** Format: date-time */
            since?: string;
            rating?: number;
            /** @description How far an opponent's rating may be from the caller's by now. */
            window?: number;
            /** @description After how many seconds to ask again. */
            poll_after?: number;
        };
        RaceMode: {
            /** @description A mode that hands out plays. */
            mode: components["schemas"]["ModeName"];
        };
        NewRace: {
            /** @description A mode that hands out plays. */
            mode: components["schemas"]["ModeName"];
            /** @description How many seats the race has; if left out, as many as a race of the queue. */
            players?: number;
            /**
             * @description If true, the queue brings nobody into the race.
             * @default false
             */
            invite: boolean;
        };
        RaceProgress: {
            progress: number;
        };
        RaceProgresses: {
            id: components["schemas"]["DuelName"];
            /** Format: date-time */
            now: string;
            /** @description By player. */
            progress: {
                [key: string]: number;
            };
        };
        RaceQueueLeft: {
            /** @enum {string} */
            status: "left";
        };
        Race: {
            id: components["schemas"]["DuelName"];
            /**
             * @description `waiting`: waits for players. `ready`: the start is set. `running`: it has started. `decided`: the ratings
             *     have moved, once. `expired`: nobody joined, or nobody has a result, and no rating has moved.
             * @enum {string}
             */
            state: "waiting" | "ready" | "running" | "decided" | "expired";
            mode: components["schemas"]["ModeName"];
            /** @description How many seats it has. */
            size: number;
            /** @description Whether the queue may bring players. */
            open: boolean;
            /** @description In the order in which they joined. */
            players: components["schemas"]["RaceSeat"][];
            /**
             * Format: date-time
             * @description The server's clock, so that clients can correct theirs.
             */
            now: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            starts_at?: string;
            /**
             * Format: date-time
             * @description When the race ends by itself.
             */
            until?: string;
            /** Format: date-time */
            decided_at?: string;
            /** @description The same for all players. */
            challenge?: {
                text?: string;
                seed?: string;
                seconds?: number;
            };
            /** @description The caller's own play, which begins at `starts_at`. There while the caller's result is awaited. */
            play?: string;
            /** Format: date-time */
            play_expires_at?: string;
            /** @description How players who have a name are shown; not in streams. */
            people?: components["schemas"]["Relation"][];
        };
        RaceSeat: {
            player: components["schemas"]["PlayerId"];
            /** @description From 0 to 1, as last reported. */
            progress: number;
            /** @description Whether the player's result is in. */
            finished: boolean;
            /** @description Whether the player gave up. */
            left?: boolean;
            /** @description There once the race is decided. */
            score?: components["schemas"]["Score"];
            /** @description The values of `score`, if the mode ranks by several. */
            values?: components["schemas"]["Values"];
            /** @description From 1. Equal scores share a place; players who are out come last. */
            place?: number;
            rating?: {
                /** @description Unrounded, as is `after`. The changes of all players sum to zero. */
                before: number;
                after: number;
            };
        };
        QueueOrDuel: components["schemas"]["Duel"] | components["schemas"]["Queue"];
        Wallets: {
            /** @description By currency. */
            wallets: {
                [key: string]: components["schemas"]["Wallet"];
            };
        };
        Wallet: {
            /** @description What can be spent. */
            balance: number;
            earned: number;
            spent: number;
        };
        Purchase: {
            /** @description Whose wallet it is; required of game servers, refused from players. */
            player?: components["schemas"]["PlayerId"];
            amount: number;
            /** @description What it is spent on, in the application's own words. It is only recorded. */
            item?: string;
        };
        Spent: {
            /** @description Identifies this spend among all. */
            id: string;
            player: components["schemas"]["PlayerId"];
            currency: string;
            amount: number;
            /** @description What was left afterwards. */
            balance: number;
            item?: string;
            /** Format: date-time */
            at: string;
        };
        GraphQuery: {
            query: string;
            /** @description Which operation to run, if the query has several. */
            operationName?: string | null;
            /** @description A value for each variable of the query. */
            variables?: Record<string, never> | null;
            /** @description Sent by some clients; it is ignored. */
            extensions?: Record<string, never> | null;
        };
        /** @description An answer in GraphQL's form. With `errors` but no `data`, the query was refused, and nothing was read. */
        GraphAnswer: {
            /** @description The answer, in the form of the graph's schema. */
            data?: {
                [key: string]: unknown;
            } | null;
            errors?: components["schemas"]["GraphError"][];
        };
        GraphError: {
            message: string;
            /** @description The place in the query. */
            locations?: {
                line: number;
                column: number;
            }[];
            /** @description The part of the answer that is missing because of this error. */
            path?: (string | number)[];
            extensions: {
                code: components["schemas"]["ProblemCode"];
                /** @description The HTTP status that other routes answer this problem with. */
                status: number;
                /** @description After how many seconds to try again. */
                retry_after?: number;
            };
        };
        BadgeList: {
            player: components["schemas"]["PlayerId"];
            /** @description Newest first. Empty if no history is kept, and in a game without rules. */
            badges: components["schemas"]["Badge"][];
            /**
             * @description There if the history cannot be reached at the moment.
             * @constant
             */
            badges_unavailable?: true;
        };
        Feed: {
            mode: string;
            /** Format: date */
            date: string;
            entries: components["schemas"]["FeedEntry"][];
        };
        /** @description An entry of the board, and when it was played. */
        FeedEntry: {
            /**
             * @description The rank on the board; null for a player below place 100, or if the remembered top does not have the
             *     player yet.
             */
            rank: number | null;
            player: components["schemas"]["PlayerId"];
            score: components["schemas"]["Score"];
            values?: components["schemas"]["Values"];
            name?: string;
            /** Format: uri */
            picture?: string;
            country?: components["schemas"]["CountryCode"];
            /** Format: date-time */
            at: string;
        };
        Presence: {
            players: number;
            /** @description How many seconds after a request a player still counts as online. */
            window_s: number;
            /**
             * Format: date-time
             * @description When the players were counted.
             */
            as_of: string;
        };
        /** @description RFC 9457. */
        Problem: {
            /** @description Names the kind of problem; the address explains it. */
            type: components["schemas"]["ProblemType"];
            /** @description The last part of `type`, for programs to decide by; if `type` is `about:blank`, the status in words. */
            code: components["schemas"]["ProblemCode"];
            title: string;
            status: number;
            detail: string;
            /** @description The id of the request, as it is in the log. */
            instance?: string;
            /** @description What is wrong with single fields; the first 16 errors. */
            errors?: components["schemas"]["FieldError"][];
            /** @description With `play-refused`: why, in one word. */
            reason?: string;
            /** @description With `date-closed`, the dates that take scores now. */
            open_dates?: string[];
            /** @description With `too-little`, what can be spent. */
            balance?: number;
        };
        FieldError: {
            /**
             * @description A JSON pointer into the body, or into the single score of a batch (empty for the whole); or a query
             *     parameter's name after a question mark; or a path parameter's name in braces.
             */
            pointer: string;
            detail: string;
        };
        /** @enum {string} */
        ProblemType: "about:blank" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#invalid-request" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#unauthenticated" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#forbidden" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#not-found" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#unknown-mode" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#unknown-season" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#not-on-board" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#method-not-allowed" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#too-large" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#unsupported-media-type" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#idempotency-key-reused" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#idempotency-key-in-use" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#rate-limited" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#date-closed" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#score-out-of-bounds" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#play-refused" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#banned" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#device-claimed" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#device-taken" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#not-removable" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#no-database" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#no-live-boards" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#no-seat" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#no-request" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#no-invite" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#player-blocked" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#list-full" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#too-little" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#unknown-duel" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#duel-decided" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#challenges-full" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#duel-state" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#unknown-race" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#race-state" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#internal" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#rules-changed" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#maintenance" | "https://github.com/framedle/leaderboards/blob/main/docs/problems.md#temporarily-unavailable";
        /** @enum {string} */
        ProblemCode: "internal-server-error" | "invalid-request" | "unauthenticated" | "forbidden" | "not-found" | "unknown-mode" | "unknown-season" | "not-on-board" | "method-not-allowed" | "too-large" | "unsupported-media-type" | "idempotency-key-reused" | "idempotency-key-in-use" | "rate-limited" | "date-closed" | "score-out-of-bounds" | "play-refused" | "banned" | "device-claimed" | "device-taken" | "not-removable" | "no-database" | "no-live-boards" | "no-seat" | "no-request" | "no-invite" | "player-blocked" | "list-full" | "too-little" | "unknown-duel" | "duel-decided" | "challenges-full" | "duel-state" | "unknown-race" | "race-state" | "internal" | "rules-changed" | "maintenance" | "temporarily-unavailable";
    };
    responses: {
        /** @description The client's answer is still current: one of the entity tags that it sent matches. No body. */
        NotModified: {
            headers: {
                ETag: components["headers"]["ETag"];
                /** @description As with 200. */
                "Cache-Control": string;
                "Framedle-Degraded": components["headers"]["Degraded"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /**
         * @description As JSON: the query is not valid or asks for too much. Nothing was read, and each error has the code of its
         *     problem; `too-large` has what was asked for and what is allowed. As a problem: the request holds no query.
         *     Type `invalid-request`.
         */
        RefusedQuery: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GraphAnswer"];
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Malformed JSON or query string, an unknown or missing field, a bad id, date, number or cursor, a bad or
         *     missing Idempotency-Key. Type `invalid-request`; `errors` names the fields.
         */
        InvalidRequest: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No credential, or one that does not prove who is calling. Type `unauthenticated`. */
        Unauthenticated: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "WWW-Authenticate": components["headers"]["WWWAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description A valid credential without the right to do this. Type `forbidden`: a player names a player, sends a batch,
         *     submits to a mode that only game servers feed, names a group that the token does not name, or asks for what
         *     needs the operator's token; an operator asks for what needs another role; or an anonymous player asks for what
         *     needs signing in. Type `banned`: the player
         *     is banned. Type `device-claimed`: the device that plays has been claimed.
         */
        Forbidden: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description No resource has this path, the game does not have the feature (such as anonymous players), or the deployment
         *     has no queue of scores. Type `not-found`.
         */
        NotFound: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The game has no such mode. Type `unknown-mode`. */
        UnknownMode: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The game has no such mode (type `unknown-mode`), the date is in no season with `period=season` (type
         *     `unknown-season`), or the game file has no such merged boards (type `not-found`).
         */
        NotMerged: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The game has no such mode (type `unknown-mode`), or the date is in no season with `period=season` (type
         *     `unknown-season`).
         */
        UnknownBoard: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The game has no such mode (type `unknown-mode`), the date is in no season with `period=season` (type
         *     `unknown-season`), or the player is not on the board (type `not-on-board`).
         */
        NotOnBoard: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description This deployment streams no boards. Type `no-live-boards`. */
        NoLiveBoards: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description This deployment has no database. Type `no-database`. */
        NoDatabase: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no friend request from this player. Type `no-request`. */
        NoRequest: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The invite is unknown, used up, expired, or the caller's own. Type `no-invite`. */
        NoInvite: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The caller blocks the player (type `player-blocked`), or one of the two has a list that is full, with 500
         *     players (type `list-full`). A retry while the first request with its Idempotency-Key is still running is
         *     refused with `idempotency-key-in-use` and `Retry-After`.
         */
        FriendsConflict: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The player's balance is too small; nothing was spent, and `balance` is what there is. Type `too-little`. */
        TooLittle: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such duel, or the caller may not read it. Type `unknown-duel`. */
        UnknownDuel: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Another result has been reported (type `duel-decided`). Or the duel does not allow this now: it has been
         *     accepted, is over, or its id belongs to a duel of other players (type `duel-state`). Or the most challenges
         *     that one player may have waiting are waiting (type `challenges-full`). A retry while the first request with
         *     its Idempotency-Key is still running is refused with `idempotency-key-in-use` and `Retry-After`.
         */
        DuelConflict: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such race, the caller may not read it, or the game has no races. Type `unknown-race`. */
        UnknownRace: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The game has no such mode (type `unknown-mode`), or no races (type `unknown-race`). */
        UnknownModeOrRace: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The race does not allow this now: it is full, has started, has not started or is over, or the caller is in
         *     another race (type `race-state`). A retry while the first request with its Idempotency-Key is still running is
         *     refused with `idempotency-key-in-use` and `Retry-After`.
         */
        RaceConflict: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is larger than this path takes. Type `too-large`. */
        TooLarge: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The `Content-Type` of the body is not `application/json`. Type `unsupported-media-type`. */
        UnsupportedMediaType: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Nothing has changed. The score has been rolled up into boards that cannot be computed again, because there is
         *     no archive, or because the archive does not agree with them. Type `not-removable`.
         */
        NotRemovable: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Well formed, but not acceptable: the date is not open (type `date-closed`; `open_dates` lists those that are),
         *     the score is outside the mode's bounds (`score-out-of-bounds`), the play is refused (`play-refused`; `reason`
         *     says why, in one word), or the Idempotency-Key belongs to another request (`idempotency-key-reused`).
         */
        Unacceptable: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The first request with this Idempotency-Key is still running. The same request may be sent again after
         *     `Retry-After`. Type `idempotency-key-in-use`.
         */
        KeyInUse: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Another player has claimed the device (type `device-taken`). A retry while the first request with its
         *     Idempotency-Key is still running is refused with `idempotency-key-in-use` and `Retry-After`.
         */
        DeviceTaken: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The deployment writes scores later, so that it hands out no plays (`play-refused`, with `reason`), or the
         *     Idempotency-Key was used with another body (`idempotency-key-reused`).
         */
        NoRace: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The Idempotency-Key was used with another body. Type `idempotency-key-reused`. */
        KeyReused: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description The caller has sent too many requests, or requests that cost too much. Limits are by player or signing key,
         *     else by address. A process also limits what it spends for all callers without a valid credential together.
         *     Nothing has happened; the detail names the limit. Type `rate-limited`.
         */
        RateLimited: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "Retry-After": components["headers"]["RetryAfter"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicyRefused"];
                RateLimit: components["headers"]["RateLimitRefused"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description An error that the caller did not cause. Type `internal`, or `about:blank` after a severe error. */
        Internal: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description Redis cannot be reached, throttles, or has used up its plan. Nothing is half done: the same request may be
         *     sent again. Type `temporarily-unavailable`. A request that would write can also get `maintenance`, or
         *     `rules-changed` if the game's rules do not fit what is stored.
         */
        Unavailable: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description How many badges at most. */
        BadgeLimit: number;
        /** @description The `next` of the page before, good for an hour. */
        DocumentCursor: string;
        /** @description The `next` of the page before. */
        RowCursor: string;
        RowLimit: number;
        /** @description Another player's id. */
        OtherPlayer: components["schemas"]["PlayerId"];
        /** @description The code that the invite's maker has passed on. */
        InviteCode: string;
        /** @description The id of the message, the same in each delivery. */
        SvixId: string;
        /** @description When it was sent, at most 5 minutes from now. */
        SvixTimestamp: string;
        /** @description HMAC-SHA256 of id, time and body, one for each secret. */
        SvixSignature: string;
        /** @description Also the invite of an open challenge. */
        DuelId: components["schemas"]["DuelName"];
        /** @description Whoever knows the id of a waiting race may join it. */
        RaceId: components["schemas"]["DuelName"];
        /** @description A mode of the game, by its name or by its name before it was renamed; or `xp`, or `duels`. */
        Mode: components["schemas"]["ModeName"];
        /** @description A player's id, or `me` for the owner of the session token. */
        Player: components["schemas"]["PlayerId"];
        /** @description A player's id. */
        PlayerId: components["schemas"]["PlayerId"];
        /**
         * @description The period of the board. `day` if left out; `xp` and `duels` have only `alltime`, which is then the default.
         *     `season` is for games that declare seasons. `last7` and `last30`, the days that end with `date`, are for modes
         *     with `rolling`.
         */
        Period: components["schemas"]["Period"];
        /** @description A date within the period. If left out, the current date in UTC; for a group's board of a computed mode, in the group's time zone. */
        Date: string;
        /** @description Which players the board ranks. The mode must keep boards of that scope. */
        Scope: components["schemas"]["Scope"];
        /**
         * @description A hint: the rank that the caller remembers, from the answer to a submission. For neighbours, a good hint saves
         *     looking up the rank; one that is off by more than the places around it costs one command more. It never
         *     changes the answer.
         */
        Near: number;
        /**
         * @description A new one for each request, and the same for every retry of it: 1 to 255 visible ASCII characters other than
         *     the quotation mark, within quotation marks or bare. For 24 hours, per caller and route, the same request gets
         *     the first answer again, with `Idempotency-Replayed: true`. Another body with the same key is refused (422),
         *     and so is a retry while the first request is still running (409). Errors are not kept. Required if the mode
         *     adds scores up; such a mode records the key in the same step as the effect, and answers a retry with `status:
         *     replayed`.
         * @example "7f9c2ba4-e88f-11ee-8d3c-0242ac120002"
         */
        IdempotencyKey: string;
        /** @description Entity tags of answers that the client has kept. */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /** @description The answer must not be cached. */
        NoStore: "no-store";
        /** @description Caches must revalidate each time. `private` if the answer is for the owner of the session token. */
        Revalidate: "public, no-cache" | "private, no-cache";
        /** @description Names `Authorization` where the owner of a session token gets another answer at the same address. */
        Vary: string;
        /**
         * @description Which savings this answer was made with, because the month is becoming dearer than the owner wants, in this
         *     order; left out if there are none. `caches`: the page may be five times as old as usual. `refresh`: derived
         *     boards are refreshed a twelfth as often. `features`: `previous_rank` and `rank_change` are null, and there are
         *     no `details`. Scores are taken as usual.
         */
        Degraded: string;
        /** @description Identifies the standings shown, whenever they were read. Weak. */
        ETag: string;
        /** @description Present if this same request was answered, or had its effect, before. */
        IdempotencyReplayed: "true";
        /**
         * @description The limit that was applied to the request: its name, the quota `q` and the window `w` in seconds, as in
         *     `"submit-player";q=20;w=60` (draft-ietf-httpapi-ratelimit-headers).
         */
        RateLimitPolicy: string;
        /** @description `r` is what remains of the limit; if nothing does, `t` is the seconds to wait. */
        RateLimit: string;
        /** @description The limit that refused the request, in the form of `RateLimit-Policy`. */
        RateLimitPolicyRefused: string;
        /** @description Nothing remains; `t` is the seconds to wait. */
        RateLimitRefused: string;
        /** @description Seconds to wait before trying again. */
        RetryAfter: number;
        /** @description The challenge of RFC 6750. */
        WWWAuthenticate: "Bearer realm=\"leaderboards\"";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    submitScore: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A new one for each request, and the same for every retry of it: 1 to 255 visible ASCII characters other than
                 *     the quotation mark, within quotation marks or bare. For 24 hours, per caller and route, the same request gets
                 *     the first answer again, with `Idempotency-Replayed: true`. Another body with the same key is refused (422),
                 *     and so is a retry while the first request is still running (409). Errors are not kept. Required if the mode
                 *     adds scores up; such a mode records the key in the same step as the effect, and answers a retry with `status:
                 *     replayed`.
                 * @example "7f9c2ba4-e88f-11ee-8d3c-0242ac120002"
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Submission"];
            };
        };
        responses: {
            /** @description The board did not change; `status` is `kept` or `replayed`. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "Framedle-Degraded": components["headers"]["Degraded"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RankedResult"];
                };
            };
            /** @description The board changed; `status` is `accepted` or `improved`. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "Framedle-Degraded": components["headers"]["Degraded"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RankedResult"];
                };
            };
            /**
             * @description `status` is `queued`: the score has been taken, and will be written within the deployment's batch window.
             *     Only deployments in queue mode answer so, instead of 200 and 201. The player's card shows later what the
             *     score did. The score is dropped silently if the player is banned, or if a day's total would leave its
             *     bounds.
             *
             *     `status` is `held`: few people have such scores, so it enters the board only when an operator lets it
             *     pass.
             */
            202: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuedResult"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownMode"];
            409: components["responses"]["KeyInUse"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unacceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    startPlay: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlayRequest"];
            };
        };
        responses: {
            /** @description The play. It begins now. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Play"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownMode"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Unacceptable"];
            429: components["responses"]["RateLimited"];
        };
    };
    submitScores: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A new one for each request, and the same for every retry of it: 1 to 255 visible ASCII characters other than
                 *     the quotation mark, within quotation marks or bare. For 24 hours, per caller and route, the same request gets
                 *     the first answer again, with `Idempotency-Replayed: true`. Another body with the same key is refused (422),
                 *     and so is a retry while the first request is still running (409). Errors are not kept. Required if the mode
                 *     adds scores up; such a mode records the key in the same step as the effect, and answers a retry with `status:
                 *     replayed`.
                 * @example "7f9c2ba4-e88f-11ee-8d3c-0242ac120002"
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Batch"];
            };
        };
        responses: {
            /** @description One result or problem for each score, in order. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchResults"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["KeyInUse"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    sendEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1 MiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Events"];
            };
        };
        responses: {
            /** @description How many events were new, how many were already known, and which were refused. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventResults"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPage: {
        parameters: {
            query?: {
                /**
                 * @description The period of the board. `day` if left out; `xp` and `duels` have only `alltime`, which is then the default.
                 *     `season` is for games that declare seasons. `last7` and `last30`, the days that end with `date`, are for modes
                 *     with `rolling`.
                 */
                period?: components["parameters"]["Period"];
                /** @description A date within the period. If left out, the current date in UTC; for a group's board of a computed mode, in the group's time zone. */
                date?: components["parameters"]["Date"];
                /** @description Which players the board ranks. The mode must keep boards of that scope. */
                scope?: components["parameters"]["Scope"];
                /** @description How many entries at most. */
                limit?: number;
                /** @description How many entries to skip. Not together with a cursor. */
                offset?: number;
                /**
                 * @description The `next_cursor` of the page before, of the same board. Cursors are sealed: one that this board did not
                 *     give out is answered 400. So is one that cannot be found again because thousands of entries with the same
                 *     score have come or gone around it. Begin again without a cursor then.
                 */
                cursor?: string;
            };
            header?: {
                /** @description Entity tags of answers that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A mode of the game, by its name or by its name before it was renamed; or `xp`, or `duels`. */
                mode: components["parameters"]["Mode"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. A board without players has no entries. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    /**
                     * @description Browsers ask each time. Shared caches keep a page until it is as old as the game's `cache` time, one
                     *     of a closed period until it is an hour old, and a stale page no longer than the game's `refresh` time, or
                     *     not at all if it is not whole.
                     */
                    "Cache-Control": string;
                    /**
                     * @description For content delivery networks (RFC 9213), which may serve a stale page while they fetch a new one;
                     *     browsers always ask. Left out of a page that marks the caller's own row.
                     */
                    "CDN-Cache-Control"?: string;
                    Vary: components["headers"]["Vary"];
                    "Framedle-Degraded": components["headers"]["Degraded"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["UnknownBoard"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDistribution: {
        parameters: {
            query?: {
                /**
                 * @description The period of the board. `day` if left out; `xp` and `duels` have only `alltime`, which is then the default.
                 *     `season` is for games that declare seasons. `last7` and `last30`, the days that end with `date`, are for modes
                 *     with `rolling`.
                 */
                period?: components["parameters"]["Period"];
                /** @description A date within the period. If left out, the current date in UTC; for a group's board of a computed mode, in the group's time zone. */
                date?: components["parameters"]["Date"];
                /** @description Which players the board ranks. The mode must keep boards of that scope. */
                scope?: components["parameters"]["Scope"];
                /** @description How many buckets at most. */
                buckets?: number;
            };
            header?: {
                /** @description Entity tags of answers that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A mode of the game, by its name or by its name before it was renamed; or `xp`, or `duels`. */
                mode: components["parameters"]["Mode"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The distribution. A board without players has no buckets. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    /** @description As for a page of a board; `private, no-cache` if the answer has `me`. */
                    "Cache-Control": string;
                    /** @description As for a page of a board. Left out if the answer has `me`. */
                    "CDN-Cache-Control"?: string;
                    Vary: components["headers"]["Vary"];
                    "Framedle-Degraded": components["headers"]["Degraded"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Distribution"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["UnknownBoard"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWorld: {
        parameters: {
            query?: {
                /**
                 * @description The period of the board. `day` if left out; `xp` and `duels` have only `alltime`, which is then the default.
                 *     `season` is for games that declare seasons. `last7` and `last30`, the days that end with `date`, are for modes
                 *     with `rolling`.
                 */
                period?: components["parameters"]["Period"];
                /** @description A date within the period. If left out, the current date in UTC; for a group's board of a computed mode, in the group's time zone. */
                date?: components["parameters"]["Date"];
                /** @description How many entries at most. */
                limit?: number;
                /** @description How many entries to skip. Not together with a cursor. */
                offset?: number;
                /** @description The `next_cursor` of the page before, of the same board. */
                cursor?: string;
            };
            header?: {
                /** @description Entity tags of answers that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A mode of the game, by its name or by its name before it was renamed; or `xp`, or `duels`. */
                mode: components["parameters"]["Mode"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The board. Before its first merge it has no sites and no entries. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    /** @description As for a page of a board; `private, no-cache` if the answer has `me`. */
                    "Cache-Control": string;
                    /** @description As for a page of a board. Left out if the answer has `me`. */
                    "CDN-Cache-Control"?: string;
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorldBoard"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["NotMerged"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLive: {
        parameters: {
            query?: {
                /**
                 * @description The period of the board. `day` if left out; `xp` and `duels` have only `alltime`, which is then the default.
                 *     `season` is for games that declare seasons. `last7` and `last30`, the days that end with `date`, are for modes
                 *     with `rolling`.
                 */
                period?: components["parameters"]["Period"];
                /** @description A date within the period. If left out, the current date in UTC; for a group's board of a computed mode, in the group's time zone. */
                date?: components["parameters"]["Date"];
                /** @description Which players the board ranks. The mode must keep boards of that scope. */
                scope?: components["parameters"]["Scope"];
                /** @description How many entries at most. */
                limit?: number;
                /** @description The same as the header Last-Event-ID, which takes precedence. */
                last_event_id?: string;
            };
            header?: {
                /**
                 * @description The `id` of the last event that the client has seen. If this process does not know the id, the stream
                 *     starts again.
                 */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description A mode of the game, by its name or by its name before it was renamed; or `xp`, or `duels`. */
                mode: components["parameters"]["Mode"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "Cache-Control": "no-cache, no-transform";
                    "X-Accel-Buffering": "no";
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The period is closed, and the caller has its final page. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Boards are streamed at the address in `Location`. */
            307: {
                headers: {
                    Location: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["UnknownBoard"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoLiveBoards"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLiveDuel: {
        parameters: {
            query?: {
                /** @description The same as the header Last-Event-ID, which takes precedence. */
                last_event_id?: string;
            };
            header?: {
                /** @description With the `id` of the event `closed` the answer is 204. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description Also the invite of an open challenge. */
                id: components["parameters"]["DuelId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "Cache-Control": "no-cache, no-transform";
                    "X-Accel-Buffering": "no";
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The duel is over, and the caller has its end. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Duels are streamed at the address in `Location`. */
            307: {
                headers: {
                    Location: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownDuel"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoLiveBoards"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLiveRace: {
        parameters: {
            query?: {
                /** @description The same as the header Last-Event-ID, which takes precedence. */
                last_event_id?: string;
            };
            header?: {
                /** @description With the `id` of the event `closed` the answer is 204. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description Whoever knows the id of a waiting race may join it. */
                id: components["parameters"]["RaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "Cache-Control": "no-cache, no-transform";
                    "X-Accel-Buffering": "no";
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The race is over, and the caller has its end. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Races are streamed at the address in `Location`. */
            307: {
                headers: {
                    Location: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownRace"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoLiveBoards"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCard: {
        parameters: {
            query?: {
                /**
                 * @description The period of the board. `day` if left out; `xp` and `duels` have only `alltime`, which is then the default.
                 *     `season` is for games that declare seasons. `last7` and `last30`, the days that end with `date`, are for modes
                 *     with `rolling`.
                 */
                period?: components["parameters"]["Period"];
                /** @description A date within the period. If left out, the current date in UTC; for a group's board of a computed mode, in the group's time zone. */
                date?: components["parameters"]["Date"];
                /** @description Which players the board ranks. The mode must keep boards of that scope. */
                scope?: components["parameters"]["Scope"];
                /**
                 * @description A hint: the rank that the caller remembers, from the answer to a submission. For neighbours, a good hint saves
                 *     looking up the rank; one that is off by more than the places around it costs one command more. It never
                 *     changes the answer.
                 */
                near?: components["parameters"]["Near"];
            };
            header?: {
                /** @description Entity tags of answers that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A mode of the game, by its name or by its name before it was renamed; or `xp`, or `duels`. */
                mode: components["parameters"]["Mode"];
                /** @description A player's id, or `me` for the owner of the session token. */
                player: components["parameters"]["Player"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The player's standing. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Revalidate"];
                    Vary: components["headers"]["Vary"];
                    "Framedle-Degraded": components["headers"]["Degraded"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Card"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotOnBoard"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAround: {
        parameters: {
            query?: {
                /**
                 * @description The period of the board. `day` if left out; `xp` and `duels` have only `alltime`, which is then the default.
                 *     `season` is for games that declare seasons. `last7` and `last30`, the days that end with `date`, are for modes
                 *     with `rolling`.
                 */
                period?: components["parameters"]["Period"];
                /** @description A date within the period. If left out, the current date in UTC; for a group's board of a computed mode, in the group's time zone. */
                date?: components["parameters"]["Date"];
                /** @description Which players the board ranks. The mode must keep boards of that scope. */
                scope?: components["parameters"]["Scope"];
                /** @description How many entries above and below. */
                range?: number;
                /**
                 * @description A hint: the rank that the caller remembers, from the answer to a submission. For neighbours, a good hint saves
                 *     looking up the rank; one that is off by more than the places around it costs one command more. It never
                 *     changes the answer.
                 */
                near?: components["parameters"]["Near"];
            };
            header?: {
                /** @description Entity tags of answers that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A mode of the game, by its name or by its name before it was renamed; or `xp`, or `duels`. */
                mode: components["parameters"]["Mode"];
                /** @description A player's id, or `me` for the owner of the session token. */
                player: components["parameters"]["Player"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The player and the neighbours. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Revalidate"];
                    Vary: components["headers"]["Vary"];
                    "Framedle-Degraded": components["headers"]["Degraded"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Surroundings"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotOnBoard"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    lookUpPlayers: {
        parameters: {
            query?: {
                /**
                 * @description The period of the board. `day` if left out; `xp` and `duels` have only `alltime`, which is then the default.
                 *     `season` is for games that declare seasons. `last7` and `last30`, the days that end with `date`, are for modes
                 *     with `rolling`.
                 */
                period?: components["parameters"]["Period"];
                /** @description A date within the period. If left out, the current date in UTC; for a group's board of a computed mode, in the group's time zone. */
                date?: components["parameters"]["Date"];
                /** @description Which players the board ranks. The mode must keep boards of that scope. */
                scope?: components["parameters"]["Scope"];
            };
            header?: never;
            path: {
                /** @description A mode of the game, by its name or by its name before it was renamed; or `xp`, or `duels`. */
                mode: components["parameters"]["Mode"];
            };
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Lookup"];
            };
        };
        responses: {
            /** @description The players that have an entry, best first. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "Framedle-Degraded": components["headers"]["Degraded"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Found"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["UnknownBoard"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of answers that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The owner of the session token. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Revalidate"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    eraseMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The player's data is erased. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileChange"];
            };
        };
        responses: {
            /** @description The profile as it is now. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedProfile"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportMe: {
        parameters: {
            query?: {
                /** @description The `next` of the page before, good for an hour. */
                cursor?: components["parameters"]["DocumentCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Everything that is kept of the owner of the session token. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlayerDocument"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOwnBadges: {
        parameters: {
            query?: {
                /** @description How many badges at most. */
                limit?: components["parameters"]["BadgeLimit"];
            };
            header?: {
                /** @description Entity tags of answers that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller's badges. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Revalidate"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadgeList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            429: components["responses"]["RateLimited"];
        };
    };
    getWallets: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of answers that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The owner's wallets. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Revalidate"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Wallets"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    spend: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A new one for each request, and the same for every retry of it: 1 to 255 visible ASCII characters other than
                 *     the quotation mark, within quotation marks or bare. For 24 hours, per caller and route, the same request gets
                 *     the first answer again, with `Idempotency-Replayed: true`. Another body with the same key is refused (422),
                 *     and so is a retry while the first request is still running (409). Errors are not kept. Required if the mode
                 *     adds scores up; such a mode records the key in the same step as the effect, and answers a retry with `status:
                 *     replayed`.
                 * @example "7f9c2ba4-e88f-11ee-8d3c-0242ac120002"
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description One of the game's currencies.
                 * @example coins
                 */
                currency: string;
            };
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Purchase"];
            };
        };
        responses: {
            /** @description It is spent; `balance` is what was left at that moment. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Spent"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["TooLittle"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getResults: {
        parameters: {
            query?: {
                /** @description A mode of the game; all modes if left out. */
                mode?: components["schemas"]["ModeName"];
                /** @description How many results at most. */
                limit?: number;
                /** @description The `next` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the caller's results. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnResults"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["UnknownMode"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRanks: {
        parameters: {
            query: {
                /** @description A mode of the game. */
                mode: components["schemas"]["ModeName"];
                /** @description How many days at most. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller's ranks; none without a result on a closed day. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnRanks"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["UnknownMode"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLeague: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of answers that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller's league. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Revalidate"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["League"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoDatabase"];
            503: components["responses"]["Unavailable"];
        };
    };
    claimDevice: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A new one for each request, and the same for every retry of it: 1 to 255 visible ASCII characters other than
                 *     the quotation mark, within quotation marks or bare. For 24 hours, per caller and route, the same request gets
                 *     the first answer again, with `Idempotency-Replayed: true`. Another body with the same key is refused (422),
                 *     and so is a retry while the first request is still running (409). Errors are not kept. Required if the mode
                 *     adds scores up; such a mode records the key in the same step as the effect, and answers a retry with `status:
                 *     replayed`.
                 * @example "7f9c2ba4-e88f-11ee-8d3c-0242ac120002"
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Claim"];
            };
        };
        responses: {
            /** @description The device is the player's. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claimed"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["DeviceTaken"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    makeDevice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description The player to whom the token belongs. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"];
                };
            };
            /** @description A new player. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
        };
    };
    listBans: {
        parameters: {
            query?: {
                limit?: components["parameters"]["RowLimit"];
                /** @description The `next` of the page before. */
                cursor?: components["parameters"]["RowCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The banned players. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeptBans"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    ban: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A player's id. */
                player: components["parameters"]["PlayerId"];
            };
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Ban"];
            };
        };
        responses: {
            /** @description The player is banned. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Removal"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    unban: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A player's id. */
                player: components["parameters"]["PlayerId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The player is not banned. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Removal"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    findPlayers: {
        parameters: {
            query: {
                /** @description The beginning of a name. `%` and `_` stand for themselves. */
                name: string;
                limit?: number;
                /** @description The `next` of the page before. */
                cursor?: components["parameters"]["RowCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The players. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamedPlayers"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoDatabase"];
            503: components["responses"]["Unavailable"];
        };
    };
    readPlayer: {
        parameters: {
            query?: {
                /** @description The `next` of the page before, good for an hour. */
                cursor?: components["parameters"]["DocumentCursor"];
            };
            header?: never;
            path: {
                /** @description A player's id. */
                player: components["parameters"]["PlayerId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Everything that is kept of the player. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlayerDocument"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    erasePlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A player's id. */
                player: components["parameters"]["PlayerId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The player's data is erased. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readLog: {
        parameters: {
            query?: {
                limit?: components["parameters"]["RowLimit"];
                /** @description The `next` of the page before. */
                cursor?: components["parameters"]["RowCursor"];
                /** @description A player's id. */
                player?: components["schemas"]["PlayerId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The acts, newest first. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Log"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoDatabase"];
            503: components["responses"]["Unavailable"];
        };
    };
    readAudit: {
        parameters: {
            query?: {
                limit?: components["parameters"]["RowLimit"];
                /** @description The `next` of the page before. */
                cursor?: components["parameters"]["RowCursor"];
                /** @description A player's id. Name a player, a mode, or both. */
                player?: components["schemas"]["PlayerId"];
                /** @description A mode. */
                mode?: components["schemas"]["ModeName"];
                /** @description The first date of the boards, up to 365 days before `to`; 30 days before `to` if left out. */
                from?: string;
                /** @description The last date of the boards; the newest that takes scores if left out. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The submissions. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScoreAudit"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoDatabase"];
            503: components["responses"]["Unavailable"];
        };
    };
    listHeld: {
        parameters: {
            query?: {
                limit?: components["parameters"]["RowLimit"];
                /** @description The `next` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The held scores. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    passHeld: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The score's `id`. */
                id: components["schemas"]["HeldId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The player's entry as it is now. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RankedResult"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unacceptable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    dropHeld: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The score's `id`. */
                id: components["schemas"]["HeldId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The score is dropped. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStatistics: {
        parameters: {
            query?: {
                /** @description How many dates, today included. */
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Statistics"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoDatabase"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeScore: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScoreOf"];
            };
        };
        responses: {
            /** @description The score is removed. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Removal"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownMode"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["NotRemovable"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: {
                /** @description Whether to count the keys in Redis too, for 1 command. */
                keys?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redis answers, and takes writes. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMaintenance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The maintenance, or that there is none. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MaintenanceState"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putMaintenance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["Maintenance"];
            };
        };
        responses: {
            /** @description Maintenance is on. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MaintenanceState"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteMaintenance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No maintenance is on. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MaintenanceState"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the product. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDeadLetters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dead letters. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeadLetters"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    redriveDeadLetters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transfer has begun, or there was nothing to send back. */
            202: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Redrive"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description How many days, today included. */
                days?: number;
                /**
                 * @description By what else each day is split, besides functions: `route` adds `by_route` with each route's budget,
                 *     `caller` adds `by_caller`, `schedule` adds `by_schedule`.
                 */
                by?: "function" | "route" | "caller" | "schedule";
                /** @description How many players a day has now, for `what_if`; estimated from scores if left out. */
                players?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cost of each day. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFriendsBoard: {
        parameters: {
            query?: {
                /**
                 * @description The period of the board. `day` if left out; `xp` and `duels` have only `alltime`, which is then the default.
                 *     `season` is for games that declare seasons. `last7` and `last30`, the days that end with `date`, are for modes
                 *     with `rolling`.
                 */
                period?: components["parameters"]["Period"];
                /** @description A date within the period. If left out, the current date in UTC; for a group's board of a computed mode, in the group's time zone. */
                date?: components["parameters"]["Date"];
            };
            header?: {
                /** @description Entity tags of answers that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A mode of the game, by its name or by its name before it was renamed; or `xp`, or `duels`. */
                mode: components["parameters"]["Mode"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The board. It has no entries if none of them has played. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Revalidate"];
                    Vary: components["headers"]["Vary"];
                    "Framedle-Degraded": components["headers"]["Degraded"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FriendsBoard"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownBoard"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFriends: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller's friends, requests and blocks. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Friends"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoDatabase"];
            503: components["responses"]["Unavailable"];
        };
    };
    askFriend: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A new one for each request, and the same for every retry of it: 1 to 255 visible ASCII characters other than
                 *     the quotation mark, within quotation marks or bare. For 24 hours, per caller and route, the same request gets
                 *     the first answer again, with `Idempotency-Replayed: true`. Another body with the same key is refused (422),
                 *     and so is a retry while the first request is still running (409). Errors are not kept. Required if the mode
                 *     adds scores up; such a mode records the key in the same step as the effect, and answers a retry with `status:
                 *     replayed`.
                 * @example "7f9c2ba4-e88f-11ee-8d3c-0242ac120002"
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["FriendRequest"];
            };
        };
        responses: {
            /** @description The request was already there, or the two are friends. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Friendship"];
                };
            };
            /** @description The request waits for the other player. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Friendship"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["FriendsConflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoDatabase"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptRequest: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A new one for each request, and the same for every retry of it: 1 to 255 visible ASCII characters other than
                 *     the quotation mark, within quotation marks or bare. For 24 hours, per caller and route, the same request gets
                 *     the first answer again, with `Idempotency-Replayed: true`. Another body with the same key is refused (422),
                 *     and so is a retry while the first request is still running (409). Errors are not kept. Required if the mode
                 *     adds scores up; such a mode records the key in the same step as the effect, and answers a retry with `status:
                 *     replayed`.
                 * @example "7f9c2ba4-e88f-11ee-8d3c-0242ac120002"
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Another player's id. */
                player: components["parameters"]["OtherPlayer"];
            };
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            /** @description They are friends. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Friendship"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoRequest"];
            409: components["responses"]["FriendsConflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoDatabase"];
            503: components["responses"]["Unavailable"];
        };
    };
    dropRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Another player's id. */
                player: components["parameters"]["OtherPlayer"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description There is no request between the two. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoDatabase"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeFriend: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Another player's id. */
                player: components["parameters"]["OtherPlayer"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They are not friends. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoDatabase"];
            503: components["responses"]["Unavailable"];
        };
    };
    blockPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Another player's id. */
                player: components["parameters"]["OtherPlayer"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The player is blocked. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["FriendsConflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoDatabase"];
            503: components["responses"]["Unavailable"];
        };
    };
    unblockPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Another player's id. */
                player: components["parameters"]["OtherPlayer"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The player is not blocked. */
            204: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoDatabase"];
            503: components["responses"]["Unavailable"];
        };
    };
    makeInvite: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A new one for each request, and the same for every retry of it: 1 to 255 visible ASCII characters other than
                 *     the quotation mark, within quotation marks or bare. For 24 hours, per caller and route, the same request gets
                 *     the first answer again, with `Idempotency-Replayed: true`. Another body with the same key is refused (422),
                 *     and so is a retry while the first request is still running (409). Errors are not kept. Required if the mode
                 *     adds scores up; such a mode records the key in the same step as the effect, and answers a retry with `status:
                 *     replayed`.
                 * @example "7f9c2ba4-e88f-11ee-8d3c-0242ac120002"
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["InviteRequest"];
            };
        };
        responses: {
            /** @description The code. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invite"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["KeyInUse"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoDatabase"];
            503: components["responses"]["Unavailable"];
        };
    };
    readInvite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The code that the invite's maker has passed on. */
                code: components["parameters"]["InviteCode"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The player who made the invite. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Relation"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoInvite"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoDatabase"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptInvite: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A new one for each request, and the same for every retry of it: 1 to 255 visible ASCII characters other than
                 *     the quotation mark, within quotation marks or bare. For 24 hours, per caller and route, the same request gets
                 *     the first answer again, with `Idempotency-Replayed: true`. Another body with the same key is refused (422),
                 *     and so is a retry while the first request is still running (409). Errors are not kept. Required if the mode
                 *     adds scores up; such a mode records the key in the same step as the effect, and answers a retry with `status:
                 *     replayed`.
                 * @example "7f9c2ba4-e88f-11ee-8d3c-0242ac120002"
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The code that the invite's maker has passed on. */
                code: components["parameters"]["InviteCode"];
            };
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            /** @description They are friends; `player` is the one who made the invite. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Friendship"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NoInvite"];
            409: components["responses"]["FriendsConflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            501: components["responses"]["NoDatabase"];
            503: components["responses"]["Unavailable"];
        };
    };
    takeClerkWebhook: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, the same in each delivery. */
                "svix-id": components["parameters"]["SvixId"];
                /** @description When it was sent, at most 5 minutes from now. */
                "svix-timestamp": components["parameters"]["SvixTimestamp"];
                /** @description HMAC-SHA256 of id, time and body, one for each secret. */
                "svix-signature": components["parameters"]["SvixSignature"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 256 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClerkEvent"];
            };
        };
        responses: {
            /** @description The event was taken, or needs nothing; Clerk need not send it again. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Received"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDuels: {
        parameters: {
            query?: {
                /** @description `me` or the caller's own id; nobody sees the duels of another player (403). */
                player?: string;
                limit?: number;
                /** @description The `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Duels"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    makeDuel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A new one for each request, and the same for every retry of it: 1 to 255 visible ASCII characters other than
                 *     the quotation mark, within quotation marks or bare. For 24 hours, per caller and route, the same request gets
                 *     the first answer again, with `Idempotency-Replayed: true`. Another body with the same key is refused (422),
                 *     and so is a retry while the first request is still running (409). Errors are not kept. Required if the mode
                 *     adds scores up; such a mode records the key in the same step as the effect, and answers a retry with `status:
                 *     replayed`.
                 * @example "7f9c2ba4-e88f-11ee-8d3c-0242ac120002"
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewDuel"];
            };
        };
        responses: {
            /** @description The duel. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Duel"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownMode"];
            409: components["responses"]["DuelConflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    joinQueue: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A new one for each request, and the same for every retry of it: 1 to 255 visible ASCII characters other than
                 *     the quotation mark, within quotation marks or bare. For 24 hours, per caller and route, the same request gets
                 *     the first answer again, with `Idempotency-Replayed: true`. Another body with the same key is refused (422),
                 *     and so is a retry while the first request is still running (409). Errors are not kept. Required if the mode
                 *     adds scores up; such a mode records the key in the same step as the effect, and answers a retry with `status:
                 *     replayed`.
                 * @example "7f9c2ba4-e88f-11ee-8d3c-0242ac120002"
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["QueueRequest"];
            };
        };
        responses: {
            /** @description A duel, or the place in the queue. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueueOrDuel"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownMode"];
            409: components["responses"]["KeyInUse"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    leaveQueue: {
        parameters: {
            query?: {
                mode?: components["schemas"]["ModeName"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller is not in the queue. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Queue"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownMode"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readDuel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Also the invite of an open challenge. */
                id: components["parameters"]["DuelId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The duel. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Duel"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownDuel"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    declineDuel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Also the invite of an open challenge. */
                id: components["parameters"]["DuelId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The challenge has ended. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Duel"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownDuel"];
            409: components["responses"]["DuelConflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptDuel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A new one for each request, and the same for every retry of it: 1 to 255 visible ASCII characters other than
                 *     the quotation mark, within quotation marks or bare. For 24 hours, per caller and route, the same request gets
                 *     the first answer again, with `Idempotency-Replayed: true`. Another body with the same key is refused (422),
                 *     and so is a retry while the first request is still running (409). Errors are not kept. Required if the mode
                 *     adds scores up; such a mode records the key in the same step as the effect, and answers a retry with `status:
                 *     replayed`.
                 * @example "7f9c2ba4-e88f-11ee-8d3c-0242ac120002"
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Also the invite of an open challenge. */
                id: components["parameters"]["DuelId"];
            };
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Acceptance"];
            };
        };
        responses: {
            /** @description The duel is ready. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Duel"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownDuel"];
            409: components["responses"]["DuelConflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    tellResult: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A new one for each request, and the same for every retry of it: 1 to 255 visible ASCII characters other than
                 *     the quotation mark, within quotation marks or bare. For 24 hours, per caller and route, the same request gets
                 *     the first answer again, with `Idempotency-Replayed: true`. Another body with the same key is refused (422),
                 *     and so is a retry while the first request is still running (409). Errors are not kept. Required if the mode
                 *     adds scores up; such a mode records the key in the same step as the effect, and answers a retry with `status:
                 *     replayed`.
                 * @example "7f9c2ba4-e88f-11ee-8d3c-0242ac120002"
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Also the invite of an open challenge. */
                id: components["parameters"]["DuelId"];
            };
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["DuelResult"];
            };
        };
        responses: {
            /** @description The report has been taken in; `status` says what it did. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Duel"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownDuel"];
            409: components["responses"]["DuelConflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["KeyReused"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rematch: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A new one for each request, and the same for every retry of it: 1 to 255 visible ASCII characters other than
                 *     the quotation mark, within quotation marks or bare. For 24 hours, per caller and route, the same request gets
                 *     the first answer again, with `Idempotency-Replayed: true`. Another body with the same key is refused (422),
                 *     and so is a retry while the first request is still running (409). Errors are not kept. Required if the mode
                 *     adds scores up; such a mode records the key in the same step as the effect, and answers a retry with `status:
                 *     replayed`.
                 * @example "7f9c2ba4-e88f-11ee-8d3c-0242ac120002"
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Also the invite of an open challenge. */
                id: components["parameters"]["DuelId"];
            };
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            /** @description The new duel. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Duel"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownDuel"];
            409: components["responses"]["DuelConflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    makeRace: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A new one for each request, and the same for every retry of it: 1 to 255 visible ASCII characters other than
                 *     the quotation mark, within quotation marks or bare. For 24 hours, per caller and route, the same request gets
                 *     the first answer again, with `Idempotency-Replayed: true`. Another body with the same key is refused (422),
                 *     and so is a retry while the first request is still running (409). Errors are not kept. Required if the mode
                 *     adds scores up; such a mode records the key in the same step as the effect, and answers a retry with `status:
                 *     replayed`.
                 * @example "7f9c2ba4-e88f-11ee-8d3c-0242ac120002"
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRace"];
            };
        };
        responses: {
            /** @description The race. */
            201: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Race"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownModeOrRace"];
            409: components["responses"]["RaceConflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["NoRace"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    queueRace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RaceMode"];
            };
        };
        responses: {
            /** @description The race that the caller is in. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Race"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownModeOrRace"];
            409: components["responses"]["RaceConflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["NoRace"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    leaveRaceQueue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller is not in the queue. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RaceQueueLeft"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownRace"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    readRace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Whoever knows the id of a waiting race may join it. */
                id: components["parameters"]["RaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The race. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Race"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownRace"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    joinRace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Whoever knows the id of a waiting race may join it. */
                id: components["parameters"]["RaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The race that the caller is in. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Race"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownRace"];
            409: components["responses"]["RaceConflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    tellProgress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Whoever knows the id of a waiting race may join it. */
                id: components["parameters"]["RaceId"];
            };
            cookie?: never;
        };
        /** @description At most 64 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["RaceProgress"];
            };
        };
        responses: {
            /** @description The progress of all players. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RaceProgresses"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownRace"];
            409: components["responses"]["RaceConflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    leaveRace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Whoever knows the id of a waiting race may join it. */
                id: components["parameters"]["RaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The race without the caller, or as it was decided. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Race"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UnknownRace"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    keptGraphQuery: {
        parameters: {
            query: {
                /** @description SHA-256 of a file in `api/queries` of the deployment, byte for byte, in lower-case hexadecimal digits. */
                hash: string;
                /** @description A JSON object with a value for each variable, at most 2 KiB. */
                variables?: string;
            };
            header?: {
                /** @description Entity tags of answers that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer; parts that could not be answered are null. */
            200: {
                headers: {
                    /**
                     * @description As for a page of a board, with the shortest time of all that was read. An answer with the caller's own
                     *     data is kept by no shared cache, an answer with errors by nobody.
                     */
                    "Cache-Control": string;
                    /** @description As for a page of a board; left out if caches may not keep the answer. */
                    "CDN-Cache-Control"?: string;
                    Vary: components["headers"]["Vary"];
                    /** @description Left out of an answer with errors. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["RefusedQuery"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    queryGraph: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 16 KiB. */
        requestBody: {
            content: {
                "application/json": components["schemas"]["GraphQuery"];
            };
        };
        responses: {
            /** @description The answer; parts that could not be answered are null. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["NoStore"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GraphAnswer"];
                };
            };
            400: components["responses"]["RefusedQuery"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBadges: {
        parameters: {
            query?: {
                /** @description How many badges at most. */
                limit?: components["parameters"]["BadgeLimit"];
            };
            header?: {
                /** @description Entity tags of answers that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A player's id, or `me` for the owner of the session token. */
                player: components["parameters"]["Player"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The player's badges. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Revalidate"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BadgeList"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            429: components["responses"]["RateLimited"];
        };
    };
    getFeed: {
        parameters: {
            query: {
                mode: string;
                /** @description Today if left out. */
                date?: string;
                limit?: number;
                /** @description Only entries that were played later than this. */
                since?: string;
            };
            header?: {
                /** @description Entity tags of answers that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest entries; none if nobody has played yet. */
            200: {
                headers: {
                    /** @description Browsers ask each time; shared caches keep the answer for the game's `refresh`. */
                    "Cache-Control": string;
                    /** @description The same for content delivery networks. */
                    "CDN-Cache-Control": string;
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feed"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPresence: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of answers that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many players are online. */
            200: {
                headers: {
                    /** @description Kept for half a minute. */
                    "Cache-Control": "public, max-age=30";
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Presence"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getGame: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of answers that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The game. */
            200: {
                headers: {
                    /** @description Kept for 5 minutes at most, and not beyond the moment at which a date opens or closes. */
                    "Cache-Control": string;
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Game"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of answers that the client has kept. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description This document. */
            200: {
                headers: {
                    "Cache-Control": "public, max-age=300";
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/yaml": Record<string, never>;
                };
            };
            304: components["responses"]["NotModified"];
            429: components["responses"]["RateLimited"];
        };
    };
}
