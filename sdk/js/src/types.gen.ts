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
         * @description A player submits for themselves, with a session token. A game server submits for the player whom `player`
         *     names, with a signature. The operator's import tool signs and sends the operator's token beside it; it
         *     alone may fill closed dates and say `played_at`.
         *
         *     What a second score of one day does is the mode's policy: `first` keeps the first, `best` the best, `latest`
         *     the newest, `sum` adds up. Sending the same request again is safe with the first three; with `sum` the
         *     header `Idempotency-Key` makes it so, and is required.
         *
         *     With `view` the answer brings along what a result screen shows. It counts as one look at boards.
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
         * Take a play
         * @description In modes that ask for one (`plays` in `GET /v1/game`), a score needs a play: a token that says which mode, player
         *     and day it is for, when it began by the server's clock, and what the player is given to do. It counts once. A
         *     game server takes it for the player whom `player` names.
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
         * @description For game servers and the operator. Every score is answered on its own and in order; one that is refused spoils
         *     no other. Several scores of one player count in the order given. With the mode policy `sum`, the header
         *     `Idempotency-Key` is required and counts for each score together with its place in the batch.
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
         * Tell of up to 500 things that players did
         * @description For game servers, in games that have activity. Each event counts once, by its id, however often it is sent and
         *     in whatever order; one that is refused spoils no other, and is refused for good. Boards follow within five
         *     minutes.
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
         * @description From the top, from `offset`, or after the page whose `next_cursor` is given back. A walk by cursor neither repeats
         *     nor skips a player who did not move, whoever came in meanwhile. Periods that have left Redis are answered from
         *     Postgres: alike, except that an answer may take as long as a database needs to wake up; so are those that are over and
         *     that Redis has lost. While Redis refuses, the page is the one last known, marked `stale`. A request costs at most 4
         *     commands, whatever its cursor or offset, besides the refresh of a derived board that is due.
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
         * Read how everybody on a board did
         * @description Buckets that follow each other without a gap, the lowest numbers first, and how many players each has: every player
         *     of the board is in one. A bucket is a round number wide; where the mode has no more numbers than `buckets`, each has
         *     its own. With a token, `me` says in which the caller is. Of modes that rank by several values, the buckets are of
         *     the first.
         *
         *     Counted from the board at one moment, at 8 commands and one for each bucket, once in the game's `cache` time over all
         *     processes; a board of up to 1,000 players at one. Periods that have left Redis are counted in Postgres.
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
         * Read a board of all sites
         * @description Several deployments of one game, called sites, merge their boards every five minutes; each answers with what it has
         *     merged last. The first 10,000 at most, as the game file says, are ranked exactly as the sites' boards were at their
         *     `as_of`; `total` counts everybody, and who plays at several sites at each. A site that is `down` has not been heard of
         *     for more than 16 minutes: what it said last stays. With a token, `me` is where the caller stands, by the better of
         *     the own score at this site, as it is now, and what other sites had; behind the entries that are ranked `rank` is null, and
         *     the percentile is computed from every site's distribution, off by 5 % of a site's players at most.
         *
         *     Of players who have no profile at this site, the first 1,000 of each other one are shown by name, up to six hours late.
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
         * @description Server-sent events, for as long as somebody watches; see docs/live.md. First `event: board`, a page in the shape of
         *     the boards route with `version`; then `event: change` for each change, `{"version","total","updated_at","entries","gone"}`: apply it by taking out `gone` and
         *     the players of `entries`, putting `entries` in and sorting by `rank`. With a session token `event: me` has the own card,
         *     after a change and at most every 2 s. `event: stale` says that Redis does not answer, `event: closed` brings the final
         *     page, after which nothing follows. `: hb` comes every 15 s. A stream ends by itself after 4 to 6 minutes: come back
         *     with the `id` of the last event, and it goes on from there. Pages have no `next_cursor`.
         *
         *     A viewer costs no command; a board that changes costs at most two reads a second, whoever watches. Where nothing can
         *     be streamed this is 307 to where it can, or 501.
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
         * @description Server-sent events, for as long as somebody watches; see docs/live.md. First `event: duel`, the duel in the shape of
         *     GET /v1/duels/{id}, and again whenever it has changed: somebody has accepted, told a result, or it was decided.
         *     `event: stale` says that Redis does not answer, `event: closed` brings the duel as it has ended, after which nothing
         *     follows; with `{}` it is not the caller's to read any more. `: hb` comes every 15 s. A stream ends by itself after 4
         *     to 6 minutes: come back, and it begins with the duel as it is.
         *
         *     Whoever may read the duel may watch it, at one command for a viewer. Where nothing can be streamed this is 307 to
         *     where it can, or 501.
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
         * @description Server-sent events, for as long as somebody watches; see docs/live.md. First `event: race`, the race in the shape of
         *     GET /v1/races/{id}, and again whenever it has changed: somebody has come, told a result or their progress, or time has.
         *     `event: stale` says that Redis does not answer, `event: closed` brings the race as it has ended, after which nothing
         *     follows; with `{}` it is not the caller's to read any more. `: hb` comes every 15 s. A stream ends by itself after 4
         *     to 6 minutes: come back, and it begins with the race as it is.
         *
         *     Whoever may read the race may watch it, at one command for a viewer. Where nothing can be streamed this is 307 to
         *     where it can, or 501.
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
         * Read where one player stands
         * @description `previous_rank` is the rank in the period before: yesterday, last week, last month, as that period's own board has it. It
         *     is null for who was not on that board, and where that board has left Redis and nothing keeps a history. On every board the
         *     card has each score of the player that was answered before; the other players may be as old as the game's `refresh`.
         *     While Redis refuses, the card is the one last known, marked `stale`.
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
         * Read a player's surroundings
         * @description The player with `range` entries above and as many below, in order. At either end of the board the window moves
         *     inwards, so that it is full when the board has as many entries. On every board the player's own row has each score of theirs
         *     that was answered before. While Redis refuses, they are those last known, marked
         *     `stale`.
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
         * Look many players up
         * @description Scores of up to 500 players, ranked among themselves. Those without an entry are left out; one who is named twice
         *     counts once.
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
         * Read one's own profile, XP, streak, badges and ranks
         * @description XP and streak count today at once, before the day is closed. `xp_rank` is the rank on the XP board as that was
         *     refreshed last, null for who is not on it yet. The streak stands until the day after the last one played has closed.
         *     `today` has an entry for each mode played on a day that has not ended; where everybody's day begins at their own
         *     midnight, several dates are at it. A player who has never played has zeros. A game that gives no XP has no `xp`, `level`
         *     and `xp_rank`, one with `streak: off` no `streak`.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        /**
         * Erase oneself
         * @description The owner of the session token is taken off every board there is, and out of the archive, with name, picture and
         *     streak; closed boards show `erased` in their place. Who plays again begins anew. Erasing again changes nothing.
         *     A player may ask for it 3 times on one UTC date, and only while the commands that a player may cost in a day leave
         *     room for it; else it is 429, and nothing was erased. What a request that was cut off has left, the schedule erases.
         */
        delete: operations["eraseMe"];
        options?: never;
        head?: never;
        /**
         * Change how others see oneself
         * @description Fields that are left out stay as they are, empty ones are taken back. What the session token tells comes first: a
         *     name that is changed here is replaced by the token's with the next score. Who is hidden is on every board, without
         *     name and picture, and others see no details on the card. Others may see the old profile for 15 minutes. A name has a
         *     letter or digit, nothing invisible, single spaces, and up to three marks on a letter. Who is banned may not change
         *     anything (403).
         *
         *     A device may change its `name` and nothing else, up to three times a day, in a game with `device_names` among its
         *     features; else it is refused (403). When it is claimed, its name is gone.
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
         * Get everything that is kept of oneself
         * @description One document, or pages of it: `next` is the `cursor` of the page after, for an hour, and null on the last one. What is
         *     kept once (profile, XP, friends) is on the first page alone; lists go on from page to page. A page has at most 20,000
         *     results and 10,000 rows of any other list, and fewer where it would exceed some 4 MB. `sources` says what was read:
         *     without a database only what Redis knows. Who has nothing gets empty lists.
         *
         *     A player may begin 3 exports on one UTC date; further pages are not counted.
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
         * Read one's own badges
         * @description Those that closings have given by the rules of the game, newest first; today's are in `GET /v1/me`. They come from the
         *     history and cost no Redis command. A game without rules has none.
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
         * Read what one has earned and spent
         * @description Of each of the game's currencies. What plays of today have earned counts at once. `balance` is what can be spent:
         *     `earned` less `spent`, and 0 where scores were taken out whose earnings had been spent. A game without currencies
         *     has none here.
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
         * @description A player spends their own, with a session token; a game server what the player has whom `player` names, with a
         *     signature. It happens once for each `Idempotency-Key`, which is required, or not at all where there is too little.
         *     The same request again gets the same answer for a day. A device cannot spend: its owner claims it first.
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
         * Get one's own results
         * @description What the caller has played, newest first. `each` says what a result is. In games with an outbox it is a `play`: each one
         *     that was accepted, newest first by when it was played; one that `cron-save` has not saved yet is there while it stands
         *     on its day's board, and of modes whose plays are added up once it is saved. In all other games it is what stands for the
         *     caller on a `day` of a mode, by date and mode: also of days that take scores.
         *
         *     `next` is the `cursor` of the page after, and null on the last one. A page may have fewer than `limit` results and not be
         *     the last. Going on neither repeats nor leaves out a result, whether days close meanwhile or not.
         *
         *     Without a database results are there for as long as their day boards live, and `history` is `unavailable`. If there is
         *     one and it does not answer, the answer is 503.
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
    "/v1/leagues/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one's own league
         * @description The caller's cohort of this week: up to 30 players of one tier and of alike pace, ranked by the XP that the days of the
         *     week have given so far; XP of duels belongs to no day and does not count. Equal XP go by the players' ids. `zone` is
         *     what becomes of a place when the week is over, and `promote` and `relegate` say how many of the cohort, as it is now, go
         *     up and fall. XP are at most 30 s old, longer in a game of more than 30,000 players.
         *
         *     `state` is `playing` for who is in a cohort; `idle` for who has no XP of the week so far, or has had it for a few
         *     seconds only; and `settling` while the week before is not settled: then cohorts begin when it is, with everybody who
         *     has played meanwhile. In the last two there is no cohort, and `entries` is empty.
         *
         *     `results` are weeks that are over and were played, newest first, 20 at most. A week that was not played costs a tier,
         *     and has no result.
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
         * Claim a device that one has played on
         * @description What the device has played becomes the player's, for all days that still take changes, under each mode's policy: as
         *     if the player had played it. Where the first play counts the earlier one does, where the best does the better one,
         *     where the latest does the later one; sums are added up. Older days stay with the device.
         *
         *     A device has one owner for ever. Claiming again answers the same and finishes what was cut off. The device's token
         *     is then good for nothing but this; other processes may take its scores for 10 minutes yet, and those follow.
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
         * @description Makes an anonymous player, in a game that has them. Whoever holds the token is that player: keep it like a password.
         *     It has no end. A device sends it where a player sends a session token, to submit scores and to read what is its own.
         *     With a token in `Authorization` the same player is answered, with the token to keep from now on.
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
         * List who may not play
         * @description From the database, newest first; of a player who has been erased a digest is left. Without a database only how many
         *     there are: Redis knows them by digests.
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
         * @description Scores of the player are refused from now on, and 15 minutes later everywhere. What stands on days that are not past
         *     changing is taken out, and every board that follows from it is set right. Older days stay. Banning again takes
         *     out what came in meanwhile.
         */
        put: operations["ban"];
        post?: never;
        /**
         * Lift a ban
         * @description The player may play again, 15 minutes later everywhere. What was taken out stays out.
         */
        delete: operations["unban"];
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
         * @description As `GET /v1/me/export` for the player, any number of times. Of an id that nothing is kept of, but entries of the audit, `known` is false.
         */
        get: operations["readPlayer"];
        put?: never;
        post?: never;
        /**
         * Erase a player
         * @description As `DELETE /v1/me` does for the player, any number of times. A ban stays.
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
         * Read what was done
         * @description Bans, removals, erasures, maintenance, scores that were sent back, boards that were restored, and what was run by hand,
         *     newest first, from the database. With `player` only what was done
         *     to or by that player, erased or not. Without a database each act is a line of the functions' logs, `"msg":"audit"`.
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
         * Read what submissions did
         * @description What each submission of a player, or for a mode, did to the boards of some dates, in games with an `audit`: the newest
         *     date first, on it by mode, the newest first. It is as old as the last run of `cron-save`. A player is found by the id,
         *     erased or not. Games without a record: 404.
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
         * List scores that are held
         * @description Scores that are kept off the boards since few people's are like them, oldest first. At most 1,000 wait, and 5 of one
         *     player, whose oldest makes room for a sixth.
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
         * Let a score pass
         * @description The score enters the boards of its day as of when it was played, as long as the day takes changes; of a day that is
         *     past that it is refused (422, `date-closed`).
         */
        put: operations["passHeld"];
        post?: never;
        /**
         * Drop a score
         * @description The score waits no more, and never counts. Its player is not told.
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
         * See who plays
         * @description Players and results by date, from the database: dates that take scores as `cron-save` has saved them last. It costs no
         *     Redis command, and the database reads every result of these dates.
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
         * Take one score out
         * @description The player's entry of one day is taken off, in every scope, and every board that follows from it is set right. It is
         *     refused, and nothing changes, where that cannot be worked out (422, `not-removable`). Removing again changes nothing.
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
         * @description Without Redis the answer is 503; where the plan's commands are used up, `detail` says so, and when they come back.
         *     So it is where Redis refuses the token, or takes no writes under it: each process tries one, once (1 command).
         *     Without the database boards go on; closings are archived later. What is spent, and how far the plan carries, says
         *     `GET /v1/ops/status`.
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
         * See whether writes wait
         * @description Whether writes wait, since when and until when.
         */
        get: operations["getMaintenance"];
        /**
         * Have writes wait
         * @description Everything is read, and what would write is answered with 503 `maintenance` and `Retry-After`; schedules wait. Every process
         *     has noticed after 15 minutes, and of the end within a minute. It ends by itself at `until`.
         */
        put: operations["putMaintenance"];
        post?: never;
        /**
         * Let writes in again
         * @description Where writes do not wait nothing happens.
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
         * See how the product stands
         * @description Whether writes are taken, how each schedule's last run ended and when it runs next, days that are not closed, not archived
         *     or lost, dead letters, the database's tables, the circuit to Redis, the pace of commands, and what to do about what is wrong. `good` is false where there is a problem; the status is 200 all the same.
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
         * Look at what could not be taken in
         * @description How many scheduled runs failed for good and how many queued scores could not be written, with up to 10 of each, which stay
         *     where they are. Of SQS, counts are right within a minute, and a look hides a message for a second and counts as one receive.
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
         * Send queued scores back that could not be written
         * @description They begin to go back into the queue, as new messages with their own time of play; nothing of what was written before
         *     counts twice. Scheduled runs are fired again by their function's name instead. On SQS it goes on after the answer.
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
         * @description Redis commands as Upstash bills them, by day (UTC) and function, oldest day first and today last. Counters are written
         *     every few minutes and before a process ends: what it has not written yet is not in them. Days that are over stand beside
         *     Upstash's own figure where the product has its account's credentials and a database. Besides, what the month comes to,
         *     with AWS and the database.
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
         * Rank oneself among one's friends
         * @description The caller, marked by `me`, and the caller's friends who have an entry, at most 501. A change of friends shows in the
         *     next answer. Without a database the caller is alone.
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
         * Read one's friends, requests and blocks
         * @description Newest first. At most 500 of each. Who is blocked by somebody is not told: a request to them waits like any other.
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
         * @description Where the other has asked already, both are friends at once. At most 500 requests may wait.
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
         * @description Whichever of the two there is. It may be repeated.
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
         * @description For both. It may be repeated.
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
         * @description Ends the friendship and takes back what either has asked. Neither is listed to the other, and they do not meet in
         *     duels. The other is not told. It may be repeated. At most 500 players.
         */
        put: operations["blockPlayer"];
        post?: never;
        /**
         * Lift a block
         * @description What was ended by the block is not restored. It may be repeated.
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
         * @description A code for whoever is to become a friend, good for 7 days and so many players. It is shown once: only a digest is kept.
         *     Of more than 20 good ones the oldest ends.
         */
        post: operations["makeInvite"];
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
         * @description The caller and whoever made the invite are friends from then on. It is used up by as many as it was made for.
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
         * Take what Clerk tells
         * @description Users and memberships, signed by Svix (`svix-id`, `svix-timestamp`, `svix-signature`). A message that comes again has
         *     no second effect, an older one than has come changes nothing, and other types are acknowledged.
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
         * The caller's duels, newest first
         * @description Challenges that wait for the caller are among them. A duel whose time is over is ended by being read.
         */
        get: operations["listDuels"];
        put?: never;
        /**
         * Challenge somebody, or make a duel of two players
         * @description A player opens a challenge: to the player whom `opponent` names, or to whoever brings its `invite`. A game server names
         *     two `players`, and the duel is ready at once; with an `id` of its own the same request makes the same duel, for as long
         *     as the game keeps duels. What a later result moves is settled here: at most K points of each rating.
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
         * @description Ask again every `poll_after` seconds: the answer is a ready duel as soon as there is one. The ratings of both may be
         *     further apart the longer one of them waits. Who stops asking leaves the queue. A duel that was found is answered until
         *     it is over.
         */
        post: operations["joinQueue"];
        /**
         * Leave the queue
         * @description A duel that was found stays.
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
         * One duel
         * @description For its players and for game servers; an open challenge is shown to every player who has its invite.
         */
        get: operations["readDuel"];
        put?: never;
        post?: never;
        delete?: never;
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
         * @description The first who accepts an open challenge plays. Accepting again answers the same.
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
         * Tell how a duel ended
         * @description A game server's word decides the duel, however late it comes. Players decide it when both tell the same; when they tell
         *     different results it is `disputed`, no rating moves, and only a game server can decide it. Where one has told a result
         *     and the other nothing until `expires_at`, that result counts.
         *
         *     A result moves both ratings exactly once, in one step. The same result again is answered as it was the first time;
         *     another one is refused.
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
         * @description Where both ask, it is one duel, and ready.
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
         * @description The caller has the first seat. The race starts when it is full, or, with two players or more, a while after the second
         *     has come. Players join by its id, which nobody can guess; without `invite` the queue brings others too.
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
         * @description Joins a race of the mode that waits, of players of alike rating, or opens one. Asked again it answers with the race that
         *     the caller is in, so it may be asked every second or two until the race has started. Who is silent for `races.silent`
         *     while the race waits gives the seat up.
         */
        post: operations["queueRace"];
        /**
         * Leave the race that waits
         * @description A race that has started stays; see `leave`.
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
         * One race
         * @description For its players; one that waits is shown to every player who has its id. What time has made due is done first, so whoever
         *     asks sees the same. Once the start is set the answer has the caller's own `play`, with the challenge that all have; send
         *     the result with it as any score (`POST /v1/scores`). `now` is the server's clock, by which `starts_at` counts.
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
         * @description Joining again answers the same.
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
         * Tell how far one has come
         * @description At most four a second are taken in, the others are passed over. It decides nothing, but who has told it once and then
         *     is silent for `races.silent` is out. The answer is what this process knows of everybody; `GET` has it too, up to 5 s old.
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
         * @description Gives up the seat of a race that waits. In one that has started the caller gives up and will be last.
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
         * Ask a query that the deployment keeps
         * @description For content delivery networks: a query of the deployment's own, by the SHA-256 of its file. What everybody may see is
         *     kept by caches as pages of boards are. Bounds and callers are those of POST.
         */
        get: operations["keptGraphQuery"];
        put?: never;
        /**
         * Ask for several things at once, in GraphQL
         * @description Boards, cards, players, friends and duels, as the routes tell them; [graphql.md](https://github.com/framedle/leaderboards/blob/main/docs/graphql.md)
         *     has the schema. A query may have 8 KiB, 8 levels, 100 fields after aliases and fragments, and may cost 20 commands of Redis;
         *     all of that is known before anything is asked of Redis, and a query that goes beyond is refused at no cost. A part
         *     that cannot be answered is null, and `errors` says why, with the code of its problem. Own things take a session token.
         *     Deployments serve it where `GRAPHQL` is on (else 404).
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
         * @description Those that closings have given by the rules of the game, newest first. Of a player who is hidden others see none, and of
         *     one who is not known there are none. They come from the history and cost no Redis command; `me` is the caller.
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
         * Read what has changed on a day's board
         * @description The newest entries of the board of a mode and a day, newest first, each player once, with when it was played. What did not change the board is not
         *     shown, nor what was taken back. `rank` is told down to 100. Only games with `outbox: true` have a feed (404).
         *     To see what is new since, send the `at` of the first entry as `since`.
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
         * Read how many players are there
         * @description Those who have asked for anything in the last two minutes with a credential of a player or a device, in any process.
         *     A count is half a minute old at most, a minute now and then; `as_of` tells. A game that does not count has none (404).
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
         * Read what a page has to know of the game
         * @description The modes, the dates that take scores now, and what is on. It costs no Redis command.
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
         * @description As the deployed version answers it; whoever has its `ETag` is answered 304 until the next version.
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
             * @description When it ends by itself, at most 7 days from now.
             */
            until: string;
            /** @description What callers are told. */
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
             * @description When every process has noticed.
             */
            everywhere?: string;
        };
        Game: {
            name: string;
            /**
             * @description Where on earth a date begins and ends; `local` is at everybody's own midnight.
             * @enum {string}
             */
            day: "utc" | "local";
            /** @description In the order of the game. */
            modes: components["schemas"]["GameMode"][];
            /** @description The dates that take scores now, the oldest first. */
            open_dates: components["schemas"]["OpenDate"][];
            /** @description Level n begins at base·n² XP. */
            level: {
                base: number;
            };
            leagues?: components["schemas"]["LeagueRules"];
            /** @description What is on, of what a game or a deployment may do without. */
            features: ("xp" | "streaks" | "duels" | "races" | "leagues" | "activity" | "badges" | "seasons" | "devices" | "device_names" | "friends" | "history" | "wallets" | "presence" | "world")[];
            /** @description Groups that the game file names, which boards may be asked for; others may be there too. */
            groups?: string[];
            /** @description What players are given badges for, in the order of the game; where `features` has them. */
            badges?: components["schemas"]["BadgeRule"][];
        };
        /** @description What a badge takes. How rare it is stands with the badges that players have, as it was counted last. */
        BadgeRule: {
            id: string;
            /** @description For people. */
            title: string;
            /**
             * @description A place on a board of a period that is over, a day's score, days in a row, days, XP, duels won, or different others to do with.
             * @enum {string}
             */
            for: "rank" | "score" | "streak" | "days" | "xp" | "wins" | "peers";
            /** @description How much of it; of a place the lowest that counts, of a mode with several values the first of them. */
            needs: number;
            /** @description Of others, within how many days in a row. */
            within?: number;
            /** @description Of scores and places; places without it are of any mode. */
            mode?: string;
            /**
             * @description Of places, what is ranked.
             * @enum {string}
             */
            period?: "day" | "week" | "month" | "season";
            /** @description Of places, among whom. */
            scope?: string;
            /** @description Of places, that it is given for the first period alone. */
            once?: boolean;
        };
        /** @description Of a game with leagues. */
        LeagueRules: {
            /** @description Names, the lowest first. */
            tiers: string[];
            /** @description Players of a full cohort. */
            size: number;
            /** @description How many of a full cohort go up. */
            promote: number;
            /** @description How many of a full cohort fall. */
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
            /** @description Its place in the tiers of `GET /v1/game`, from 0. */
            tier_index: number;
            /** @description Names the cohort within its week. */
            cohort: string | null;
            /** @description The caller's place; null for who is in no cohort. */
            rank: number | null;
            /** @description The caller's zone; null for who is in no cohort. */
            zone: components["schemas"]["LeagueZone"] | null;
            /** @description How many of this cohort go up. */
            promote: number;
            /** @description How many of this cohort fall. */
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
            /** @description What the place is worth, if the week ended now. */
            reward?: string;
            /**
             * @description There, and true, on the caller's row.
             * @constant
             */
            me?: true;
        };
        LeagueResult: {
            week: string;
            tier: string;
            rank: number;
            /** @description Of the cohort. */
            players: number;
            xp: number;
            zone: components["schemas"]["LeagueZone"];
            tier_after: string;
            reward?: string;
        };
        GameMode: {
            name: components["schemas"]["ModeName"];
            title: string;
            /**
             * @description Which of a player's scores of a day stands.
             * @enum {string}
             */
            policy: "first" | "best" | "latest" | "sum";
            /**
             * @description Whether high or low scores lead.
             * @enum {string}
             */
            order: "desc" | "asc";
            /** @description Places of a score. */
            decimals: number;
            /** @description The least that one submission may have. */
            min: number;
            /** @description The most that one submission may have. */
            max: number;
            /**
             * @description What it ranks by, the first to decide first, where that is more than one number: `decimals`, `min` and `max` of
             *     the mode are of the number that they are packed into.
             */
            values?: components["schemas"]["GameValue"][];
            /**
             * @description Whether equal scores have ranks of their own, the earlier one's the better, or share one.
             * @enum {string}
             */
            ties: "earliest" | "shared";
            /** @description What boards there are besides the global ones. */
            scopes: ("country" | "region" | "group" | "level" | "groups")[];
            /** @description How many levels it has; left out where it has none. */
            levels?: number;
            /**
             * @description How longer periods combine a player's days.
             * @enum {string}
             */
            aggregate: "sum" | "max" | "min" | "last";
            /** @description Whether there are boards of the last 7 and 30 days; left out where there are none. */
            rolling?: boolean;
            /** @description How all time forgets; left out where it does not. Scores of all other periods are as they were played. */
            decay?: {
                /** @description What is left of a score each time. */
                factor: number;
                /** @description After how many days, counted from Monday, 1 January 2024. */
                days: number;
            };
            /** @description What a score of the mode needs; left out where players need no play. */
            play?: {
                /** @description How long a play is good for, in seconds. */
                life: number;
                /** @description What scores are worked out from; left out where players tell them. */
                proof?: string;
                /** @description How long a challenge takes; left out where players take their time. */
                seconds?: number;
                /** @description How many key downs a proof may have. */
                keys?: number;
            };
            /** @description Whether a submission may bring details along. */
            details: boolean;
            /** @description Whether it takes scores from game servers only. */
            authoritative: boolean;
            /**
             * @description There, and true, where scores are computed from what players do, so that nobody submits any.
             * @constant
             */
            computed?: true;
        };
        /** @description One of the values by which a mode ranks. */
        GameValue: {
            /** @example wpm */
            name: string;
            decimals: number;
            min: number;
            max: number;
            /**
             * @description Whether high or low ones lead.
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
             * @description The first moment at which its scores are refused, the game's grace included.
             */
            closes_at: string;
        };
        /** @description Any JSON. What is in an array is as free; a reference to itself there is more than TypeScript follows. */
        Json: {
            [key: string]: components["schemas"]["Json"];
        } | unknown[] | string | number | boolean | null;
        /** @example daily_frame */
        ModeName: string;
        /** @example user_a */
        PlayerId: string;
        /**
         * @description An officially assigned ISO 3166-1 alpha-2 code.
         * @example BR
         */
        CountryCode: string;
        /** @example org_2abc */
        GroupId: string;
        /**
         * @description The true score, with at most as many decimal places as the mode declares. Where the mode ranks by several values, the
         *     whole number that they are packed into: it is ordered as they are, and `values` beside it has them.
         */
        Score: number;
        /**
         * @description By name, the values by which the mode ranks where they are several; each with at most as many decimal places as it
         *     declares.
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
        /** @description Names the period, as in 2026-11-21, 2026-W47, 2026-11 and alltime; a season by its own name, and rolling days by the last of them. */
        PeriodKey: string;
        /**
         * @description Everybody, one country, one region, one group, one level, or `groups`: groups against each other, where `player` is a group's id
         *     and names are absent. A region is a continent: `AF` Africa, `AN` Antarctica, `AS` Asia, `EU` Europe, `NA` North
         *     America, `OC` Oceania, `SA` South America.
         * @example country:BR
         */
        Scope: string;
        /**
         * @description 1 is the best. By the mode's tie style equal scores have distinct ranks, the earlier one first, or share the best (1,
         *     2, 2, 4).
         */
        Rank: number;
        /** @description How many players are on the board. */
        Total: number;
        /** @description With two decimal places. */
        Percent: number;
        Submission: {
            mode: components["schemas"]["ModeName"];
            /** @description A play of `POST /v1/plays`, required of players in modes that ask for one. */
            play?: string | null;
            /**
             * @description How long the play took by the player's own clock, in milliseconds, from when it was received to when this was
             *     sent. It must be no more than what passed on the server's clock, and no less by more than the game's slack.
             */
            elapsed?: number | null;
            /**
             * @description With a play of a mode that works its scores out, and in place of a score. What it says is the proof's own; of
             *     `keystrokes` it is a KeystrokesProof.
             */
            proof?: components["schemas"]["KeystrokesProof"] | components["schemas"]["Json"];
            /** @description Required where the mode ranks by one number and works no scores out, and refused where it ranks by several. */
            score?: components["schemas"]["Score"];
            /** @description In place of `score` where the mode ranks by several values, each of them. */
            values?: components["schemas"]["Values"];
            /**
             * Format: date
             * @description The date it was played for; without it the current one, in UTC.
             */
            date?: string | null;
            /** @description Required with a signature, and allowed with nothing else. */
            player?: string | null;
            /**
             * @description An officially assigned ISO 3166-1 alpha-2 code. A country in the session token comes before it; where neither
             *     tells, the content delivery network's guess about the player does.
             */
            country?: string | null;
            /**
             * @description Groups on whose boards the player's entry of the day stands too, from then on: the one that stands on the
             *     day's board, whichever score brought it. A player may name only those of the session token.
             */
            groups?: components["schemas"]["GroupId"][] | null;
            /**
             * @description The level that was played, where the mode has levels. The score stands on that level's boards too (`scope=level:12`),
             *     apart from those of other levels, by the mode's policy.
             */
            level?: number | null;
            /**
             * @description What else the answer shall have, under `view`: the top 100 of the day's board, the player among the neighbours there,
             *     the day's board of friends, the card of the week, and XP, level and streak. Each is as its route answers it, and
             *     counts as its route does. Not in a batch.
             */
            view?: components["schemas"]["ViewPart"][] | null;
            /** @description Any JSON of up to 2 KiB without white space, shown on the player's card of the day. Only where the mode keeps details. */
            details?: components["schemas"]["Json"];
            /**
             * Format: date-time
             * @description When it was played, which orders equal scores. The operator alone may say so; without it the current time.
             */
            played_at?: string | null;
        } & (unknown | unknown | unknown);
        PlayRequest: {
            mode: components["schemas"]["ModeName"];
            /** @description Required with a signature, and allowed with nothing else. */
            player?: string | null;
            /**
             * Format: date
             * @description The date it is to be played for; without it the current one, in UTC.
             */
            date?: string | null;
        };
        /** @description Leave to send one score. */
        Play: {
            /** @description The token that goes with the score. It says nothing to anybody but the server. */
            play: string;
            mode: components["schemas"]["ModeName"];
            player: components["schemas"]["PlayerId"];
            /** Format: date */
            date: string;
            challenge?: components["schemas"]["Challenge"];
            /**
             * Format: date-time
             * @description From then on no score is taken with it.
             */
            expires_at: string;
        };
        /** @description What the player is given to do. */
        Challenge: {
            /** @description A text of the game, to be typed for example. */
            text?: string;
            /** @description A number of which the game makes what it likes, in hexadecimal. */
            seed?: string;
            /** @description How long it takes. No score is taken before that. */
            seconds?: number;
        };
        /**
         * @description A typing test as it was typed. Of each key down that counts, which is neither a modifier, nor Backspace, nor one
         *     that a held key repeats, `gaps` has the milliseconds since the one before (of the first since the start, or 0) and
         *     `holds` how long the key stayed down. The whole body may have 8 KiB.
         */
        KeystrokesProof: {
            /** @description The text as it stood at the end. */
            typed: string;
            gaps: number[];
            holds: number[];
        };
        /** @description A score that waits for an operator. */
        HeldScore: {
            id: components["schemas"]["HeldId"];
            mode: components["schemas"]["ModeName"];
            /** Format: date */
            date: string;
            player: components["schemas"]["PlayerId"];
            /** @description Of the player, as the credential had it. */
            name?: string;
            submitted: components["schemas"]["Score"];
            submitted_values?: components["schemas"]["Values"];
            /**
             * Format: date-time
             * @description When it was played.
             */
            at: string;
            /** @description What is unlike people about it. The player is not told. */
            why: string;
            /** @description Whether it can still be let pass; its day may be past changing. */
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
            /** @description Each is read as the body of `POST /v1/scores` is, and refused on its own. */
            scores: components["schemas"]["BatchScore"][];
        };
        Events: {
            /** @description Each is read on its own, and refused on its own. */
            events: components["schemas"]["Event"][];
        };
        /**
         * @description Something that players did. Its type says which of them it has: `from` and `to`, `user`, or two `users`, of
         *     whom one may be the `winner`.
         */
        Event: {
            /** @description The same however often the event is told. */
            id: string;
            /** @description One that the game declares. */
            type: string;
            /**
             * Format: date-time
             * @description When it happened. The date is that of the group's time zone.
             */
            at: string;
            /** @description Where it counts. */
            group: string;
            from?: components["schemas"]["PlayerId"];
            to?: components["schemas"]["PlayerId"];
            user?: components["schemas"]["PlayerId"];
            users?: components["schemas"]["PlayerId"][];
            winner?: components["schemas"]["PlayerId"];
        };
        /** @description One score of a batch. It asks for no view. */
        BatchScore: {
            mode: components["schemas"]["ModeName"];
            player: components["schemas"]["PlayerId"];
            /** @description Required where the mode ranks by one number, and refused where it ranks by several. */
            score?: components["schemas"]["Score"];
            /** @description In place of `score` where the mode ranks by several values, each of them. */
            values?: components["schemas"]["Values"];
            /**
             * Format: date
             * @description The date it was played for; without it the current one, in UTC.
             */
            date?: string | null;
            /** @description An officially assigned ISO 3166-1 alpha-2 code. */
            country?: string | null;
            /** @description Groups on whose boards the player's entry of the day stands too, from then on. */
            groups?: components["schemas"]["GroupId"][] | null;
            /** @description The level that was played, where the mode has levels, as of a single score. */
            level?: number | null;
            /** @description Any JSON of up to 2 KiB without white space, as of a single score. */
            details?: components["schemas"]["Json"];
            /**
             * Format: date-time
             * @description When it was played, which orders equal scores. The operator alone may say so; without it the current time.
             */
            played_at?: string | null;
        } & (unknown | unknown);
        Lookup: {
            players: components["schemas"]["PlayerId"][];
        };
        Ban: {
            /** @description Kept with the ban, for people. */
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
            /** @description What the device has to present, 71 characters. */
            token: string;
        };
        Claim: {
            /** @description What `POST /v1/devices` has answered with. */
            device_token: string;
        };
        Claimed: {
            player: components["schemas"]["PlayerId"];
            device: components["schemas"]["PlayerId"];
            /** Format: date-time */
            claimed_at: string;
            /** @description The device's days that the player has got, by date. */
            merged: components["schemas"]["ClaimedDay"][];
        };
        ClaimedDay: {
            mode: string;
            /** Format: date */
            date: string;
            /**
             * @description `accepted`: the player had no entry that day. `improved`: the player's entry has changed. `kept`: it stands.
             * @enum {string}
             */
            status: "accepted" | "improved" | "kept";
            /** @description What stood for the player then. */
            score: number;
            values?: components["schemas"]["Values"];
        };
        Removal: {
            player: components["schemas"]["PlayerId"];
            /** @description On how many boards in Redis the player's entry was changed or removed; 0 where nothing was left to do. */
            boards: number;
            /** @description How many results were removed from the archive. */
            results: number;
            /** @description Boards that keep what they had, by key: some of their days have left Redis, and there is no archive. */
            left: string[];
        };
        Erasure: {
            player: components["schemas"]["PlayerId"];
            /** @description On how many boards in Redis the player was; 0 where nothing was left to do. */
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
            /** @description The boards besides everybody's. */
            scopes?: string[];
            details?: components["schemas"]["Json"];
            /**
             * Format: date-time
             * @description When it was played.
             */
            at: string;
        };
        /** @description From `known` to `ban` on the first page alone. */
        PlayerDocument: {
            player: components["schemas"]["PlayerId"];
            /** Format: date-time */
            read_at: string;
            /** @description What was read. */
            sources: ("redis" | "database")[];
            /** @description Whether anything but entries of the audit is kept. */
            known?: boolean;
            profile?: components["schemas"]["Profile"];
            /** @description As `level`, not there where the game gives none and none is kept. */
            xp?: number;
            level?: number;
            /** @description Not there where the game counts none and none is kept. */
            streak?: components["schemas"]["Streak"];
            /** @description Unrounded. Null for who has none. */
            duel_rating?: number | null;
            /** @description Counted in games with a provisional K alone. */
            duels_begun?: number;
            /** @description The groups that the player belongs to. */
            groups?: string[];
            /** @description In games with activity, in how many acts that are kept the player has a part, by day and group; the boards of these days can still change. */
            activity?: components["schemas"]["ActiveDay"][];
            /** @description The groups that the player has ever played in. */
            groups_played?: string[];
            friends?: components["schemas"]["KeptRelations"];
            requests_received?: components["schemas"]["KeptRelations"];
            requests_sent?: components["schemas"]["KeptRelations"];
            blocked?: string[];
            /** @description Their codes are not kept. */
            invites?: {
                /** Format: date-time */
                made_at: string;
                /** Format: date-time */
                expires_at: string;
                uses_left: number;
            }[];
            /** @description Devices that were claimed within the last day. Later `claims` alone tells of them. */
            devices?: {
                device: string;
                /** Format: date-time */
                claimed_at: string;
            }[];
            /** @description Devices that were ever claimed, newest first. Nothing but a digest is kept of a device. Empty without a database. */
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
            /** @description Scores that wait for an operator; left out where none does. */
            held?: components["schemas"]["KeptHeld"][];
            /** @description By currency. */
            wallets?: {
                [key: string]: components["schemas"]["Wallet"];
            };
            /** @description Null for who may play. Without a database it is empty. */
            ban?: components["schemas"]["KeptBan"] | null;
            /** @description Newest first. */
            results: components["schemas"]["KeptResult"][];
            /** @description Every score as it was sent in, newest first, where the game keeps each. */
            submissions: components["schemas"]["KeptSubmission"][];
            /** @description What each submission did, the newest date first, in games with an `audit`; left out where nothing is recorded. */
            score_audit?: components["schemas"]["AuditedScore"][];
            /** @description Newest first. */
            duels: components["schemas"]["Duel"][];
            /** @description Those that have started and are over, newest first, from the database. */
            races?: components["schemas"]["KeptRace"][];
            /** @description What was spent, newest first, from the database. */
            spends?: components["schemas"]["KeptSpend"][];
            /** @description Weeks of leagues, newest first, from the database. */
            leagues?: components["schemas"]["KeptLeague"][];
            /** @description By the rules of the game, those of rules that it has no more too, newest first, from the database. */
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
            /** @description The player too. Who was erased is `erased`. */
            players: string[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            starts_at: string;
            /** Format: date-time */
            decided_at: string;
            /** @description The player gave up. */
            left?: boolean;
            /** @description Left out where the player told none. */
            score?: number;
            values?: components["schemas"]["Values"];
            /** @description From 1; left out where no rating has moved. */
            place?: number;
            /** @description Unrounded. */
            rating?: {
                before: number;
                after: number;
            };
        };
        /** @description One that is not settled has a cohort alone. Tiers, paces and cohorts count from 0. */
        KeptLeague: {
            week: string;
            tier_index: number;
            pace: number;
            cohort: number;
            xp?: number;
            rank?: number;
            /** @description Of the cohort. */
            players?: number;
            zone?: components["schemas"]["LeagueZone"];
            tier_index_after?: number;
            reward?: string;
        };
        KeptSpend: {
            id: string;
            currency: string;
            amount: number;
            /** @description What for, as the application calls it; empty where it did not say. */
            item: string;
            /** Format: date-time */
            at: string;
        };
        KeptBadge: {
            /** @description The rule's name in the game. */
            id: string;
            /** @description Of a rule that the game has. */
            title?: string;
            /** Format: date */
            earned: string;
            mode?: string;
            period?: string;
            period_key?: string;
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
             * @description What each result is, a play that was accepted or what stands on a day of a mode.
             * @enum {string}
             */
            each: "play" | "day";
            /**
             * @description There where no database keeps results beyond their day boards.
             * @enum {string}
             */
            history?: "unavailable";
            results: components["schemas"]["OwnResult"][];
            /** @description The `cursor` of the page after. */
            next: string | null;
        };
        OwnResult: {
            mode: components["schemas"]["ModeName"];
            /** Format: date */
            date: string;
            /** @description Of a mode that ranks by several values, all of them in one whole number. */
            score: number;
            /** @description Those of the score by name, of a mode that ranks by several. */
            values?: {
                [key: string]: number;
            };
            /**
             * Format: date-time
             * @description When it was played; of what stands on a day at most a second late. Not there where plays are added up on a day.
             */
            played_at?: string;
            /** @description What was sent with the score. */
            details?: Record<string, never>;
        };
        KeptResult: {
            mode: components["schemas"]["ModeName"];
            /** Format: date */
            date: string;
            score: number;
            values?: components["schemas"]["Values"];
            /** @description The boards besides everybody's. */
            scopes?: string[];
            details?: components["schemas"]["Json"];
        };
        KeptSubmission: {
            mode: components["schemas"]["ModeName"];
            /** Format: date */
            date: string;
            score: number;
            values?: components["schemas"]["Values"];
            /** @description The boards besides everybody's. */
            scopes?: string[];
            details?: components["schemas"]["Json"];
            /** Format: date-time */
            at: string;
        };
        KeptBan: {
            /** @description A digest, where the player has been erased. */
            player?: string;
            reason?: string;
            /** Format: date-time */
            at?: string;
            by?: string;
        };
        Act: {
            /** @description That of the request. */
            id: string;
            /** Format: date-time */
            at: string;
            /** @description operator, a player, or what has done it by itself. A digest, where the player has been erased. */
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
            /** @description A digest of one who was erased. Left out in a player's own document. */
            player?: string;
            /** @description What was sent. */
            score: number;
            values?: components["schemas"]["Values"];
            /** @description What stood for the player. Null for nothing, and where the outcome is `unknown`. */
            before: number | null;
            before_values?: components["schemas"]["Values"];
            /** @description What stands for the player then. Null for nothing, and where the outcome is `unknown`. */
            after: number | null;
            after_values?: components["schemas"]["Values"];
            /**
             * @description `accepted`: the first entry. `improved`: the entry changed. `kept`: it changed nothing. `replayed`: it stood already,
             *     or the key of a sum had counted. `refused`: the day's total would have left its bounds. `unknown`: what stood before
             *     it is not known.
             * @enum {string}
             */
            outcome: "accepted" | "improved" | "kept" | "replayed" | "refused" | "unknown";
            /** @description The kind of credential. Null where it is not known. */
            sent_by: ("player" | "device" | "server" | "operator") | null;
            /**
             * Format: date-time
             * @description The moment that orders equal scores.
             */
            played_at: string;
        };
        Statistics: {
            /** @description Of whom a profile is kept. */
            players: number;
            /** @description Who have a result on one of the last 7 dates, today's included. */
            active_7: number;
            /** @description Who may not play. */
            banned: number;
            /** @description Oldest first. Dates without results are left out. */
            days: components["schemas"]["PlayedDay"][];
        };
        PlayedDay: {
            /** Format: date */
            date: string;
            /** @description Who have a result in any mode. */
            players: number;
            /** @description Players with a result, by mode. */
            results: {
                [key: string]: number;
            };
            /** @description Accepted plays, of games with an outbox. */
            plays?: number;
        };
        /** @description The `cursor` of the page after. Null on the last one. */
        NextPage: string | null;
        Health: {
            /** @constant */
            redis: "ok";
            /** @description How long Redis took to answer, the way there included. */
            redis_milliseconds: number;
            /** @description How many keys Redis has, where they were asked for. */
            keys?: number;
            /**
             * @description `none` where no database is configured, `behind` where its tables are older than this build or are not there; `detail` names the pending migrations.
             * @enum {string}
             */
            database: "ok" | "none" | "behind" | "unreachable";
            /** @description What is to be done about the database. */
            detail?: string;
            /**
             * @description Where this request comes from, as limits by address see it; of IPv6 the /64. Another address than the caller's
             *     means that `TRUSTED_PROXY_HOPS` is wrong.
             */
            address?: string;
        };
        Status: {
            /** Format: date-time */
            now: string;
            game: string;
            /** @description Of this build. */
            version: string;
            /** @description There are no problems. */
            good: boolean;
            problems: {
                what: string;
                /** @description What helps. */
                do: string;
            }[];
            /**
             * @description What the process that answers makes of Redis. While its circuit is `open`, calls fail at once but for one now and then,
             *     and nothing that Redis knows is told here: `schedules` and the lists of `days` are empty, the figures of `spent` are 0, and `writes.taken` is false.
             */
            redis: {
                /** @enum {string} */
                circuit: "closed" | "open";
                /** @description Calls in a row that Redis has not answered. */
                failures: number;
                /**
                 * Format: date-time
                 * @description Of the first of them; null for none.
                 */
                since: string | null;
                /** @description Of the last of them; empty for none. */
                last_error: string;
            };
            /** @description Messages that wait for somebody's hand. Null where there is no such queue, or it could not be asked, which is a problem then. */
            dead_letters: {
                /** @description Scheduled runs that failed three times. */
                failed_runs: number | null;
                /** @description Scores of queue mode that could not be written. */
                queued_scores: number | null;
            };
            /** @description Whether anything that would change something is taken. */
            writes: {
                taken: boolean;
                /** @description The one that is on; null where there is none. */
                maintenance: {
                    /**
                     * Format: date-time
                     * @description Null where it was deployed.
                     */
                    since: string | null;
                    /**
                     * Format: date-time
                     * @description Null where it was deployed.
                     */
                    until: string | null;
                    reason: string;
                } | null;
                /** @description Rules of this build that do not fit what is stored, as in `modes.daily_frame.order` and both values. Empty where all do. */
                refused_rules: string[];
            };
            database: {
                /**
                 * @description `empty` without tables, `behind` with tables of an older build; both need `lbctl migrate`. `failing` answers with an error, as where single tables are missing.
                 * @enum {string}
                 */
                state: "ok" | "none" | "empty" | "behind" | "failing" | "unreachable";
                /** @description The newest migration that the database has had; 0 for none. */
                schema: number;
                /** @description The newest migration that this build knows. */
                needs: number;
            };
            schedules: {
                function: string;
                last: components["schemas"]["ScheduledRun"];
                last_good: components["schemas"]["ScheduledRun"];
                /** Format: date-time */
                next: string;
                /** @description It was due more than an hour ago and has not ended well since. */
                late: boolean;
            }[];
            /** @description Days by mode and date, as in `daily_frame 2026-11-21`. */
            days: {
                /** @description Dates that take scores now. */
                open: string[];
                /** @description Over, and not closed yet. */
                unclosed: string[];
                /** @description Closed, still in Redis, and not in the archive. */
                unarchived: string[];
                /** @description In the archive and not in Redis, which should have them still, as after a loss. */
                missing: string[];
                /** @description Expired before they were rolled up into what outlives them. */
                lost: string[];
                /** @description The newest date, of those that Redis knows, that the archive has the whole of; empty for none. */
                archived: string;
            };
            /** @description How the newest repair of boards that Redis had lost ended. Not there where there was none. */
            repaired?: components["schemas"]["ScheduledRun"];
            /** @description How it goes with telling other programs, by endpoint and event. Not there where the game has nobody told, or nobody was yet. */
            webhooks?: {
                endpoint: string;
                event: string;
                /** @description Events that are not told yet. */
                waiting: number;
                /** @description Events that were given up. */
                dead: number;
                /** @description How often telling has failed in a row. */
                failures: number;
                /** @description Of the last failure; empty for none. */
                error: string;
                /**
                 * Format: date-time
                 * @description Since when the first event that waits does; null where none waits.
                 */
                oldest: string | null;
            }[];
            /** @description Billed commands. */
            spent: {
                today: number;
                projected_month: number;
                plan: number;
                /** @description Of the plan, 1 for all of it. */
                share: number;
                /** @description How far the count of the newest compared day is from Upstash's own, as a part; null where none was compared. */
                drift: number | null;
                /** @description The measures of the game's budget that the process that answers keeps to. */
                degraded: ("caches" | "refresh" | "features")[];
            };
        };
        /** @description How a run ended; null where there was none. */
        ScheduledRun: {
            /** Format: date-time */
            due: string;
            /** Format: date-time */
            ended: string;
            milliseconds: number;
            /** @description Absent where it ended well. */
            error?: string;
        } | null;
        DeadLetters: {
            /** @description Scheduled runs that failed three times; null where runs have no such queue. */
            failed_runs: components["schemas"]["DeadQueue"] | null;
            /** @description Queued scores that could not be written in 20 attempts; null where scores go through no queue. */
            queued_scores: components["schemas"]["DeadQueue"] | null;
        };
        DeadQueue: {
            count: number;
            /** @description Whether they can be sent back. */
            redrive: boolean;
            /** @description Some of them, in no order. */
            samples: components["schemas"]["DeadLetter"][];
        };
        DeadLetter: {
            /** @description The log of the function names it as `message`. */
            id: string;
            /**
             * Format: date-time
             * @description When it came into its first queue.
             */
            sent_at: string;
            age_seconds: number;
            /** @description How often it was given to somebody, looks like this one included. */
            receives: number;
            /** @description Why a run failed, as far as Lambda says; why a score cannot be read. Left out where the log alone knows. */
            reason?: string;
            /** @description At most 4096 bytes of it: the event of a run, or a score with its player. */
            message: string;
        };
        Redrive: {
            /** @description How many there were. */
            sent_back: number;
        };
        Usage: {
            days: components["schemas"]["UsageDay"][];
            /**
             * @description Commands of this whole month at the pace of the last 7 days that are over, counted from the first one with any calls;
             *     where there is none, at the pace of today so far.
             */
            projected_month: number;
            plan: components["schemas"]["UsagePlan"];
            bill: components["schemas"]["UsageBill"];
            what_if?: components["schemas"]["UsageWhatIf"];
            budget?: components["schemas"]["UsageBudget"];
        };
        /**
         * @description What a month would cost with other numbers of daily players: what schedules and the operator take stays, all else grows
         *     with players. Left out where no score tells how many they are.
         */
        UsageWhatIf: {
            /** @description A day now. */
            players: number;
            /** @description Whether they were guessed: the scores of a day that changed a board, of which a player sends 2.55, or one for each mode where there are fewer. */
            guessed: boolean;
            /** @description Billed commands of a month. */
            month: {
                /** @description Whoever plays. */
                fixed: number;
                /** @description More for each daily player. */
                a_player: number;
            };
            months: components["schemas"]["UsageMonth"][];
        };
        /** @description A month with so many daily players, on the cheapest plans, with 19 KB in Redis for each of them. What Postgres keeps is not counted. */
        UsageMonth: {
            players: number;
            commands: number;
            /** @description As in `bill`, and what is stored in Redis. */
            dollars: number;
            dollars_without_free_tiers: number;
            /** @description The commands alone, paid as you go. */
            commands_dollars: number;
            /** @description By vendor. */
            plans: {
                [key: string]: string;
            };
        };
        /**
         * @description What this whole month costs at the same pace and at list prices, in US dollars. Each vendor's plan is the cheapest that
         *     takes it. What calls take of AWS is known of the last days alone, and where functions run on Lambda.
         */
        UsageBill: {
            /**
             * Format: date
             * @description The day on which the list of prices was made.
             */
            prices: string;
            dollars: number;
            /** @description On the cheapest plans that cost something, and with nothing given away. */
            dollars_without_free_tiers: number;
            /** @description By vendor. */
            plans: {
                [key: string]: string;
            };
            lines: components["schemas"]["UsageBillLine"][];
            /** @description Vendors of which nothing is known, and items of others. */
            not_counted: string[];
        };
        UsageBillLine: {
            vendor: string;
            /** @description Such as `lambda_requests`; `plan` is what the plan costs, whatever is used. */
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
            /** @description The day's commands as Upstash has counted them; left out where that is not known. */
            upstash?: number;
            /**
             * @description How far the product's own figure was from Upstash's when they were compared last, as a part of the larger one: -0.1
             *     where one in ten is missing from the product's. Left out for days of which neither figure reaches 1000.
             */
            drift?: number;
            /**
             * @description There and true where the figures differ by more than 5%.
             * @constant
             */
            drifts?: true;
            by_function: {
                [key: string]: components["schemas"]["FunctionUsage"];
            };
            /**
             * @description By the pattern that was served, such as `POST /v1/scores`; `schedule`, `other` for stray requests, `live` for
             *     the reads of boards that are streamed, `counters` for the counting itself, `unknown` for what an earlier version has counted.
             */
            by_route?: {
                [key: string]: components["schemas"]["UsageShare"];
            };
            /**
             * @description By who had it done: `player`, `server` and the id of its signing key (the first 8 hex digits of the key's SHA-256),
             *     `operator`, `clerk`, `anonymous` (nobody's credential, devices with them), `schedule`, `queue`, `viewers`
             *     of live boards, `counters`, `unknown`.
             */
            by_caller?: {
                [key: string]: components["schemas"]["UsageShare"];
            };
            /** @description The scheduled functions alone, by name. */
            by_schedule?: {
                [key: string]: components["schemas"]["UsageShare"];
            };
            dearest?: components["schemas"]["DearestCallers"];
        };
        UsageShare: {
            calls: number;
            commands: number;
            round_trips: number;
            /** @description Answered with 500 and above. Left out for days that are told from the archive, which has it by function alone. */
            failed?: number;
            /** @description Answered with 429 or 503. Left out likewise. */
            throttled?: number;
            /**
             * @description Of a route: the commands that a call costs at most once its process has served the like before, as the product's own
             *     tests assert. A mean above it says that processes live too shortly to remember anything, or that much is asked at once.
             */
            budget?: number;
        };
        /**
         * @description Who has spent most on the day, largest first. It is there until the first cron-daily after the day, which removes it. Each
         *     process follows a fixed number of callers, so that what one has spent is known between two bounds. Nobody who has spent
         *     more than a 16th of a day's commands is left out.
         */
        DearestCallers: {
            /** @description Of all players, networks and game servers together. */
            commands: number;
            /** @description Nobody who is not listed has spent more. */
            others_at_most: number;
            callers: {
                /** @enum {string} */
                kind: "player" | "network" | "server";
                /**
                 * @description The player's id; the network that calls without a credential came from, /24 of IPv4 or /64 of IPv6; the id of the
                 *     game server's signing key.
                 */
                caller: string;
                at_least: number;
                at_most: number;
            }[];
        };
        FunctionUsage: {
            calls: number;
            commands: number;
            round_trips: number;
            /** @description Bodies alone. */
            bytes_sent: number;
            /** @description Bodies alone. */
            bytes_received: number;
            /** @description Answered with 500 and above. */
            failed: number;
            /** @description Answered with 429 or 503. */
            throttled: number;
            /** @description Answered from an idempotency key. */
            replayed: number;
            /** @description Scores that changed a board. */
            accepted: number;
            /** @description To Postgres. */
            queries: number;
            /** @description That Postgres returned or changed. */
            rows: number;
        };
        /** @description Upstash's plan, the free one unless the deployment names another. */
        UsagePlan: {
            /** @default 500000 */
            commands: number;
            /** @description The projected month as a part of it; 1 is all of it. */
            share: number;
        };
        /**
         * @description The game's budget, left out where it has none, and what follows from it for a process that asks now. Others may act
         *     on what they knew 5 minutes ago.
         */
        UsageBudget: {
            /** @description Commands that a calendar month may cost. */
            month: number;
            /** @description What the days of this month before today have cost. */
            month_before: number;
            today: number;
            /** @description What today may cost: an even part of what the month has left. */
            allowance: number;
            /** @description How much of that may be spent by now: a quarter at once, the rest evenly over the day. */
            by_now: number;
            /** @description What today has cost as a part of that; 1 is all of it. */
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
             * @description `accepted`: the first entry of the player. `improved`: the entry changed. `kept`: an earlier entry stands.
             *     `replayed`: this very request had its effect before.
             * @enum {string}
             */
            status: "accepted" | "improved" | "kept" | "replayed";
            /** @description What now stands. */
            score: components["schemas"]["Score"];
            /** @description Those of `score`, where the mode ranks by several. */
            values?: components["schemas"]["Values"];
            /** @description What was sent. */
            submitted: components["schemas"]["Score"];
            /** @description Those of `submitted`, where the mode ranks by several. */
            submitted_values?: components["schemas"]["Values"];
            /** @description There where the play belongs to a race. */
            race?: {
                id: components["schemas"]["DuelName"];
                /** @description Whether the score counts for the race; false where that was over, or the player had left it. */
                counted: boolean;
            };
            /** @description Exact at the moment of the write. In a batch left out for boards of more than 5000 players. */
            rank?: components["schemas"]["Rank"];
            /** @description How many players are on the board; may be 10 seconds old, but is never below the rank. */
            total?: number;
            /** @description The share of players at or below this one. */
            percentile?: components["schemas"]["Percent"];
            /** @description The key of the board in Redis. */
            board: string;
            /** @description What the day gives by what now stands. In modes with plays, where they give XP; never in a batch. */
            xp?: number;
            /** @description The player's, with this day. In modes with plays, where the game counts streaks; never in a batch. */
            streak?: components["schemas"]["Streak"];
            /** @description What the play has earned, by currency. In modes with plays that earn something; never in a batch. */
            earned?: {
                [key: string]: number;
            };
            /** @description What the request asked for beside. Never in a batch. */
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
            /** @description What was sent. */
            submitted: components["schemas"]["Score"];
            /** @description Those of `submitted`, where the mode ranks by several. */
            submitted_values?: components["schemas"]["Values"];
            /** @description There where the request asked for a view; nothing is known yet that it could show. */
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
         * @description The parts that `view` asked for, read after the score was written; a retry with the same `Idempotency-Key` reads them
         *     anew. A part that cannot be had is null, and `problems` says why: the score stands all the same.
         */
        View: {
            page?: components["schemas"]["Page"] | null;
            around?: components["schemas"]["Surroundings"] | null;
            friends?: components["schemas"]["FriendsBoard"] | null;
            week?: components["schemas"]["Card"] | null;
            me?: components["schemas"]["OwnStanding"] | null;
            /** @description Of the parts that are null. */
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
            /** @description Events that were told before, or that say nothing more than others of their day. */
            known: number;
            /** @description Events that do not count, and never will. */
            refused: components["schemas"]["RefusedEvent"][];
        };
        RefusedEvent: {
            /** @description Its place in the batch, from 0. */
            index: number;
            /** @enum {string} */
            reason: "unreadable" | "bad_id" | "unknown_type" | "unknown_group" | "bad_players" | "bad_time" | "future" | "sealed" | "banned" | "deleted" | "too_many";
            /** @description For people. */
            detail: string;
        };
        /** @description What became of one score of a batch. One that was refused has `problem`, and nothing else. */
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
             * @description There on the caller's own row, where a session or device token has been sent.
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
             * @description Of the friendship or the request; not told of blocks.
             */
            since?: string;
        };
        Friends: {
            friends: components["schemas"]["Relation"][];
            /** @description Requests to answer. */
            received: components["schemas"]["Relation"][];
            /** @description Requests that wait for an answer. */
            sent: components["schemas"]["Relation"][];
            blocked: components["schemas"]["Relation"][];
        };
        InviteRequest: {
            /** @description How many may become friends by it; 10 when left out. */
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
            /** @description How many of them are on the board. */
            total: components["schemas"]["Total"];
            /** Format: date-time */
            updated_at: string;
            closed: boolean;
            /** @description Ranked among themselves, best first. */
            entries: components["schemas"]["Entry"][];
        };
        /**
         * @description An event as Clerk writes it, with the members that are read; Clerk sends more. Events of other types are answered alike, and
         *     nothing is done about them.
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
            /** @description Milliseconds since 1970; when it ended. */
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
         * @description There when the period has left Redis and nothing keeps a history: that the board is empty does not tell that
         *     nobody played.
         * @constant
         */
        Unkept: "unavailable";
        /**
         * @description There while Redis refuses (it cannot be reached, or the plan's commands are used up): the answer is from memory or from
         *     the history, as it was at `updated_at`.
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
            /** @description Leads to the next page. Absent at the end of the board. */
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
             * @description Players in all buckets.
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
            /** @description The lowest numbers first. */
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
             * @description Players at all sites; who plays at several counts at each.
             */
            total: number;
            /**
             * Format: int64
             * @description Entries that the board has, 10,000 at most.
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
            /** @description Leads to the next page. Absent at the end of the board. */
            next_cursor?: string;
            me?: components["schemas"]["OwnInWorld"];
        };
        /** @description A deployment that merges its boards with others. */
        Site: {
            name: string;
            /**
             * Format: int64
             * @description On its own board.
             */
            players: number;
            /**
             * Format: date-time
             * @description Its board is as it was then, or newer. Left out where nothing is known of it.
             */
            as_of?: string;
            /** @description It has not been heard of for more than 16 minutes. */
            down: boolean;
        };
        /** @description Where the caller stands. Left out without a token, and for who is nowhere. */
        OwnInWorld: {
            /** @description Null behind the entries that are ranked. */
            rank: components["schemas"]["Rank"] | null;
            score: components["schemas"]["Score"];
            values?: components["schemas"]["Values"];
            /** @description The share of players at or below, in percent. */
            percentile: number;
            /** @description How many are better, and the caller, as a share of the total, in percent. */
            top_percent: number;
        };
        /** @description How many players have a score from one number to another, both included. */
        Bucket: {
            from: number;
            to: number;
            /** Format: int64 */
            players: number;
        };
        /** @description Where the caller is. Absent without a token, and for who is not on the board. */
        OwnBucket: {
            /** @description Which of the buckets, from 0. */
            bucket: number;
            score: number;
            values?: components["schemas"]["Values"];
            /** Format: int64 */
            rank: number;
            /** @description The share of players at or below, in percent. */
            percentile: number;
            /** @description The rank as a share of the total, in percent. */
            top_percent: number;
        };
        /** @description How a player is shown. Fields that nobody has told are absent. */
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
             * @description Of all days and modes, today's included. Always there in a game that gives XP, as `level`, `next_level_xp` and
             *     `xp_rank`.
             */
            xp?: number;
            level?: number;
            /** @description The XP at which the next level begins. */
            next_level_xp?: number;
            /** @description On the board `xp`; null for who is not on it yet. */
            xp_rank?: number | null;
            /** @description Always there, unless the game counts no streaks. */
            streak?: components["schemas"]["Streak"];
            today: components["schemas"]["TodaysRank"][];
            profile: components["schemas"]["Profile"];
            /**
             * @description Newest first: up to 50 by the rules of the game, those that follow from today at once, and up to 50 for places on
             *     the boards of weeks, months and seasons, which have a `kind`. Empty where no history is kept.
             */
            badges: components["schemas"]["Badge"][];
            /**
             * @description There when the history cannot be reached just now.
             * @constant
             */
            badges_unavailable?: true;
        };
        /** @description What a player has in the game as a whole. */
        OwnStanding: {
            player: components["schemas"]["PlayerId"];
            /**
             * @description Of all days and modes, today's included. Always there in a game that gives XP, as `level`, `next_level_xp` and
             *     `xp_rank`.
             */
            xp?: number;
            level?: number;
            /** @description The XP at which the next level begins. */
            next_level_xp?: number;
            /** @description On the board `xp`; null for who is not on it yet. */
            xp_rank?: number | null;
            /** @description Always there, unless the game counts no streaks. */
            streak?: components["schemas"]["Streak"];
            today: components["schemas"]["TodaysRank"][];
        };
        /** @description Days with at least one accepted score in any mode, without a gap that no freeze covered. */
        Streak: {
            current: number;
            best: number;
            /**
             * Format: date
             * @description Null for who has never played.
             */
            last_played: string | null;
            /** @description Held; each covers one missed day. */
            freezes: number;
        };
        /** @description By a rule of the game, or, with `kind`, `rank` and `awarded_at`, for a place on the board of a week, month or season. */
        Badge: {
            /** @description The rule's name in the game, or the kind. */
            id: string;
            /** @description For people. */
            title: string;
            /**
             * Format: date
             * @description The day on which it was reached; of a longer period the last. Of a place the day it was given.
             */
            earned: string;
            /** @description The share of all players who have it, in thousandths, as it was counted last; rules' only. */
            rarity?: number;
            /**
             * @description For rank 1, 2 to 3, up to 10, and up to 100 of a week, month or season.
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
             * @description For rank 1, 2 to 3, up to 10, and up to 100 of a week or month.
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
            /** @description Up to 80 characters, a letter or digit among them, no invisible ones, single spaces, no more than three marks on a letter. */
            name?: string | null;
            /** @description An https address of up to 512 bytes of printable ASCII, without a user. */
            picture?: string | null;
            /** @description An officially assigned ISO 3166-1 alpha-2 code. */
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
            /** @description The player's; null for a caller who asks for `me` and has no entry. */
            rank: components["schemas"]["Rank"] | null;
            /** @description The player's; null for a caller who asks for `me` and has no entry. */
            score: components["schemas"]["Score"] | null;
            values?: components["schemas"]["Values"];
            history?: components["schemas"]["Unkept"];
            /** @description Empty for a caller who has no entry. */
            entries: components["schemas"]["Entry"][];
        };
        Card: {
            mode: components["schemas"]["ModeName"];
            period: components["schemas"]["Period"];
            key: components["schemas"]["PeriodKey"];
            scope: components["schemas"]["Scope"];
            /** @description Null for a caller who asks for `me` and has no entry, and so are the score and both shares. */
            rank: components["schemas"]["Rank"] | null;
            player: components["schemas"]["PlayerId"];
            score: components["schemas"]["Score"] | null;
            values?: components["schemas"]["Values"];
            name?: string;
            /** Format: uri */
            picture?: string;
            country?: components["schemas"]["CountryCode"];
            total: components["schemas"]["Total"];
            /** @description The share of players at or below this one: 100 for the first. */
            percentile: components["schemas"]["Percent"] | null;
            /** @description The x of "top x%". */
            top_percent: components["schemas"]["Percent"] | null;
            /** @description The rank in the period before; null where the player was not on the board. */
            previous_rank: number | null;
            /** @description Ranks gained since the period before, negative for ranks lost; null where there is no previous rank. */
            rank_change: number | null;
            /** @description What was sent with the score that stands. Only for a day. */
            details?: components["schemas"]["Json"];
            stale?: components["schemas"]["Stale"];
            /**
             * Format: date-time
             * @description When the standing was read. Only where it is stale.
             */
            updated_at?: string;
            /**
             * @description There on the caller's own card, where a session or device token has been sent.
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
            /** @description Only from a player. */
            opponent?: components["schemas"]["PlayerId"] | null;
            mode?: components["schemas"]["ModeName"] | null;
            /** @description Only from a game server. */
            id?: components["schemas"]["DuelName"] | null;
            /** @description Only from a game server, which must name two different players. */
            players?: components["schemas"]["PlayerId"][] | null;
        };
        QueueRequest: {
            mode?: components["schemas"]["ModeName"] | null;
        };
        Acceptance: {
            /** @description Must be that of the path, where it is there. */
            invite?: string | null;
        };
        DuelResult: {
            /** @description One of the two players; null is a draw. */
            winner: components["schemas"]["PlayerId"] | null;
            /** @description Rounds won, in the order of the duel's `players`. It decides nothing but the points. */
            score?: number[] | null;
        };
        Duel: {
            id: components["schemas"]["DuelName"];
            /** @enum {string} */
            status: "waiting" | "ready" | "decided" | "disputed" | "expired";
            /** @description The challenger first. A waiting duel has one. */
            players: string[];
            /** @description Who is challenged, while the duel waits. */
            opponent?: string;
            mode?: components["schemas"]["ModeName"];
            /** @description Whoever brings it may accept, once. Only shown to the challenger of an open challenge. */
            invite?: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When a waiting or ready duel ends by itself.
             */
            expires_at?: string;
            /** @description Who has told a result, while the duel is not decided. */
            reported?: string[];
            /** @description Null is a draw. Only there when the duel is decided, as everything below. */
            winner?: string | null;
            score?: number[];
            /** @description By player. */
            ratings?: {
                [key: string]: components["schemas"]["RatingChange"];
            };
            /** @description By player, as the game file rewards rounds, the win and a sweep. */
            points?: {
                [key: string]: number;
            };
            /**
             * @description By player, what the points are worth; not there in a game that gives no XP. XP takes it in when the duel is
             *     archived, with the next scheduled run.
             */
            xp?: {
                [key: string]: number;
            };
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
        };
        Queue: {
            /** @enum {string} */
            status: "queued" | "left";
            mode?: components["schemas"]["ModeName"];
            /** Format: date-time */
            since?: string;
            rating?: number;
            /** @description How far an opponent's rating may be off by now. */
            window?: number;
            /** @description Seconds until the client should ask again. */
            poll_after?: number;
        };
        RaceMode: {
            /** @description One that hands out plays. */
            mode: components["schemas"]["ModeName"];
        };
        NewRace: {
            /** @description One that hands out plays. */
            mode: components["schemas"]["ModeName"];
            /** @description How many it has room for; without it as many as a race of the queue. */
            players?: number;
            /**
             * @description True has the queue bring nobody.
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
             * @description `waiting` for players; `ready`: its start is set; `running`; `decided`: the ratings have moved, once; `expired`:
             *     nobody came, or nobody told a result, and no rating has moved.
             * @enum {string}
             */
            state: "waiting" | "ready" | "running" | "decided" | "expired";
            mode: components["schemas"]["ModeName"];
            /** @description How many players it has room for. */
            size: number;
            /** @description Whether the queue may bring players. */
            open: boolean;
            /** @description In the order in which they came. */
            players: components["schemas"]["RaceSeat"][];
            /**
             * Format: date-time
             * @description The server's clock, for clients to correct theirs by.
             */
            now: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            starts_at?: string;
            /**
             * Format: date-time
             * @description When it ends by itself.
             */
            until?: string;
            /** Format: date-time */
            decided_at?: string;
            /** @description The same for all. */
            challenge?: {
                text?: string;
                seed?: string;
                seconds?: number;
            };
            /** @description The caller's own, which begins at `starts_at`. There while the caller's result is awaited. */
            play?: string;
            /** Format: date-time */
            play_expires_at?: string;
        };
        RaceSeat: {
            player: components["schemas"]["PlayerId"];
            /** @description From 0 to 1, as far as it was told. */
            progress: number;
            /** @description Whether the player's result is in. */
            finished: boolean;
            /** @description Gave up. */
            left?: boolean;
            /** @description Told when the race is decided. */
            score?: components["schemas"]["Score"];
            /** @description Those of `score`, where the mode ranks by several. */
            values?: components["schemas"]["Values"];
            /** @description From 1. Equal scores share one; who is out comes last. */
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
            /** @description Whose it is; of game servers only, which have to say it. */
            player?: components["schemas"]["PlayerId"];
            amount: number;
            /** @description What for, in the application's own words. It is kept, and means nothing here. */
            item?: string;
        };
        Spent: {
            /** @description Names it among all that was ever spent. */
            id: string;
            player: components["schemas"]["PlayerId"];
            currency: string;
            amount: number;
            /** @description What was left after it. */
            balance: number;
            item?: string;
            /** Format: date-time */
            at: string;
        };
        GraphQuery: {
            query: string;
            /** @description Which operation of the query is meant, where it has several. */
            operationName?: string | null;
            /** @description A value for each variable of the query. */
            variables?: Record<string, never> | null;
            /** @description What clients send of themselves; it is passed over. */
            extensions?: Record<string, never> | null;
        };
        /** @description What a graph answers. Errors alone: the query was refused, and nothing was read. */
        GraphAnswer: {
            /** @description What was asked for, by the schema of the graph. */
            data?: {
                [key: string]: unknown;
            } | null;
            errors?: components["schemas"]["GraphError"][];
        };
        GraphError: {
            message: string;
            /** @description Where in the query it is. */
            locations?: {
                line: number;
                column: number;
            }[];
            /** @description Which part of the answer is missing for it. */
            path?: (string | number)[];
            extensions: {
                code: components["schemas"]["ProblemCode"];
                /** @description The HTTP status that the problem has elsewhere. */
                status: number;
                /** @description Seconds after which to try again. */
                retry_after?: number;
            };
        };
        BadgeList: {
            player: components["schemas"]["PlayerId"];
            /** @description Newest first. Empty where no history is kept, and in a game without rules. */
            badges: components["schemas"]["Badge"][];
            /**
             * @description There when the history cannot be reached just now.
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
        /** @description An entry as it stands, and when it was played. */
        FeedEntry: {
            /** @description On the board; null for a player further down than 100, or whom the top that is remembered does not have yet. */
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
            /** @description How long a player counts as there after having asked for anything, in seconds. */
            window_s: number;
            /**
             * Format: date-time
             * @description When they were counted.
             */
            as_of: string;
        };
        /** @description RFC 9457. */
        Problem: {
            /** @description Names the kind of problem and leads to its explanation. */
            type: components["schemas"]["ProblemType"];
            /** @description The last part of `type`, which programs decide by; where that is `about:blank`, the status in words. */
            code: components["schemas"]["ProblemCode"];
            title: string;
            status: number;
            detail: string;
            /** @description The id of the request, as it is in the log. */
            instance?: string;
            /** @description What is wrong with single fields, the first 16. */
            errors?: components["schemas"]["FieldError"][];
            /** @description Of `play-refused`: why, in one word. */
            reason?: string;
            /** @description With `date-closed`, the dates that take scores now. */
            open_dates?: string[];
            /** @description With `too-little`, what can be spent. */
            balance?: number;
        };
        FieldError: {
            /**
             * @description A JSON pointer into the body, or into the one score of a batch (empty for the whole of it); a query parameter's name
             *     after a question mark; or a path parameter's name in braces.
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
        /** @description One of the entity tags given still stands for the answer. No body. */
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
         * @description As JSON, a query that is not valid or asks for too much: nothing was read, and each error has the code of its problem,
         *     `too-large` with what was asked and what is allowed. As a problem, a request that is no query. Type `invalid-request`.
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
         * @description Malformed JSON or query, an unknown or missing field, a bad id, date, number or cursor, a bad or missing
         *     Idempotency-Key. Type `invalid-request`; `errors` tells the fields.
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
         * @description A good credential without the right: a player who names a player, sends a batch, plays for a mode that only game
         *     servers feed, names a group that the token does not, or asks for what takes the operator's token. Type `forbidden`.
         *     Or the player is banned (type `banned`); or an anonymous player asks for what takes signing in (type `forbidden`), or
         *     plays on a device that somebody has claimed (type `device-claimed`).
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
        /** @description No resource has this path, the game has no anonymous players, or the deployment has no queue of scores. Type `not-found`. */
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
        /** @description The game has no such mode (type `unknown-mode`), with `period=season` the date is in no season (type `unknown-season`), or its file has no such boards merged (type `not-found`). */
        NotMerged: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The game has no such mode (type `unknown-mode`), or with `period=season` the date is in no season (type `unknown-season`). */
        UnknownBoard: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The game has no such mode (type `unknown-mode`), the date is in no season (type `unknown-season`), or the player is not on the board (type `not-on-board`). */
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
        /** @description There is no request of this player. Type `no-request`. */
        NoRequest: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The invite is unknown, used up, has expired, or is one's own. Type `no-invite`. */
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
         * @description The caller blocks the player (type `player-blocked`), or a list has its 500 (type `list-full`).
         *     A request with an Idempotency-Key that is still running is refused with `idempotency-key-in-use` and `Retry-After`.
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
        /** @description The player has too little left; nothing was spent, and `balance` is what there is. Type `too-little`. */
        TooLittle: {
            headers: {
                "Cache-Control": components["headers"]["NoStore"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such duel, or it is none of the caller's. Type `unknown-duel`. */
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
         * @description Another result has been told (type `duel-decided`), or the duel does not allow this now: it has been accepted, is
         *     over, or its id stands for other players (type `duel-state`), or as many of the player's challenges wait as may
         *     (type `challenges-full`). A request with an Idempotency-Key that is still running is refused with `idempotency-key-in-use` and `Retry-After`.
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
        /** @description There is no such race, it is none of the caller's, or the game has no races. Type `unknown-race`. */
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
         * @description The race does not allow this now: it is full, has started, has not started or is over, or the caller takes part in
         *     another one (type `race-state`). A request with an Idempotency-Key that is still running is refused with
         *     `idempotency-key-in-use` and `Retry-After`.
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
        /** @description The body is said not to be `application/json`. Type `unsupported-media-type`. */
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
         * @description Nothing has changed: the score has been rolled up into boards that cannot be worked out again, since there is no archive,
         *     or the archive has not all of it. Type `not-removable`.
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
         * @description Well formed, and not acceptable: the date is not open (type `date-closed`, `open_dates` tells which are), the score is
         *     outside the mode's bounds (`score-out-of-bounds`), the play is not taken (`play-refused`, `reason` has one word for it),
         *     or the Idempotency-Key stands for another request (`idempotency-key-reused`).
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
         * @description The first request with this Idempotency-Key has not been answered yet. The same request may be sent again after
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
         * @description Another player has claimed the device (type `device-taken`). A request with an Idempotency-Key that is still running
         *     is refused with `idempotency-key-in-use` and `Retry-After`.
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
        /** @description The Idempotency-Key stands for another body. Type `idempotency-key-reused`. */
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
         * @description The caller has asked too often, or has cost too much: by player or signing key, else by address. A process also
         *     bounds what it spends for all callers together who show no credential that holds. Nothing has happened; the detail
         *     names the limit. Type `rate-limited`.
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
        /** @description Something went wrong here. Type `internal`, or `about:blank` when it went wrong badly. */
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
         * @description The store cannot be reached, is throttled or is out of quota. Nothing is half done: the same request may be sent
         *     again. Type `temporarily-unavailable`. Of a request that would write also `maintenance`, and `rules-changed` where the
         *     game's rules do not fit what is stored.
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
        /** @description The `next` of the page before, within an hour. */
        DocumentCursor: string;
        /** @description The `next` of the page before. */
        RowCursor: string;
        RowLimit: number;
        /** @description Another player's id. */
        OtherPlayer: components["schemas"]["PlayerId"];
        /** @description What the invite's maker has passed on. */
        InviteCode: string;
        /** @description The message, the same in each delivery. */
        SvixId: string;
        /** @description When it was sent, at most 5 minutes from now. */
        SvixTimestamp: string;
        /** @description HMAC-SHA256 of id, time and body, one for each secret. */
        SvixSignature: string;
        /** @description Also the invite of an open challenge. */
        DuelId: components["schemas"]["DuelName"];
        /** @description Whoever knows the id of a race that waits may join it. */
        RaceId: components["schemas"]["DuelName"];
        /** @description A mode of the game, by its name or the one it had before it was renamed, or `xp`, or `duels`. */
        Mode: components["schemas"]["ModeName"];
        /** @description A player's id, or `me` for the owner of the session token. */
        Player: components["schemas"]["PlayerId"];
        /** @description A player's id. */
        PlayerId: components["schemas"]["PlayerId"];
        /**
         * @description How long the board collects. Without it `day`; for `xp` and `duels` `alltime`, which is all they have. `season` is for
         *     games that declare seasons; `last7` and `last30`, the days that end with `date`, for modes with `rolling`.
         */
        Period: components["schemas"]["Period"];
        /** @description A date within the period. Without it the current one, in UTC; of a group's board of a mode that is computed, in the group's time zone. */
        Date: string;
        /** @description Which players are ranked. The mode must keep boards of that scope. */
        Scope: components["schemas"]["Scope"];
        /**
         * @description A hint: the rank that the caller knows of, as a submission has answered it. On surroundings a good one saves the look-up
         *     of the rank, and one that is off by more than the places around it costs one command. It changes no answer.
         */
        Near: number;
        /**
         * @description A new one for each request, the same for every retry of it: 1 to 255 visible ASCII characters other than the
         *     quotation mark, within quotation marks or bare. For 24 hours, for each caller and route, the same request gets the
         *     first one's answer with `Idempotency-Replayed: true`; another body is refused (422), and so is a retry while the
         *     first request is still running (409). Errors are not kept. Required where a mode adds scores up, which keeps its
         *     own record in the same step as the effect and answers a retry with `status: replayed`.
         * @example "7f9c2ba4-e88f-11ee-8d3c-0242ac120002"
         */
        IdempotencyKey: string;
        /** @description Entity tags of answers that the caller has. */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /** @description Not to be kept. */
        NoStore: "no-store";
        /** @description To be asked about each time. `private` where the answer is for the owner of the session token. */
        Revalidate: "public, no-cache" | "private, no-cache";
        /** @description Names `Authorization` where the answer is for the owner of the session token. */
        Vary: string;
        /**
         * @description What has been taken from this answer because the month is becoming dearer than the owner wants, in this order; left
         *     out where nothing has. `caches`: the page may be five times as old as usual. `refresh`: the board is made anew a
         *     twelfth as often. `features`: `previous_rank` and `rank_change` are null, and there are no `details`. Scores are
         *     taken as ever.
         */
        Degraded: string;
        /** @description Stands for the standings shown, whenever they were read. Weak. */
        ETag: string;
        /** @description There when this very request was answered, or had its effect, before. */
        IdempotencyReplayed: "true";
        /**
         * @description The limit that the request was held against: its name, the quota `q` and the window `w` in seconds, as in
         *     `"submit-player";q=20;w=60` (draft-ietf-httpapi-ratelimit-headers).
         */
        RateLimitPolicy: string;
        /** @description What remains of it, `r`, and where nothing does, `t`, the seconds to wait. */
        RateLimit: string;
        /** @description The limit that refused the request, as `RateLimit-Policy` elsewhere. */
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
                 * @description A new one for each request, the same for every retry of it: 1 to 255 visible ASCII characters other than the
                 *     quotation mark, within quotation marks or bare. For 24 hours, for each caller and route, the same request gets the
                 *     first one's answer with `Idempotency-Replayed: true`; another body is refused (422), and so is a retry while the
                 *     first request is still running (409). Errors are not kept. Required where a mode adds scores up, which keeps its
                 *     own record in the same step as the effect and answers a retry with `status: replayed`.
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
            /** @description The board did not change, `status` is `kept` or `replayed`. */
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
            /** @description The board changed, `status` is `accepted` or `improved`. */
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
             * @description The score has been taken and will be written within the deployment's batch window, `status` is `queued`. Only
             *     deployments in queue mode answer so, and they answer neither 200 nor 201. What the board makes of the score,
             *     a card tells then. Where the player is banned, or a day's total would leave its bounds, the score is dropped
             *     without another word.
             *
             *     Or the score is as few people's are, `status` is `held`: it enters the board when an operator lets it pass.
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
            /** @description The play, which begins now. */
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
                 * @description A new one for each request, the same for every retry of it: 1 to 255 visible ASCII characters other than the
                 *     quotation mark, within quotation marks or bare. For 24 hours, for each caller and route, the same request gets the
                 *     first one's answer with `Idempotency-Replayed: true`; another body is refused (422), and so is a retry while the
                 *     first request is still running (409). Errors are not kept. Required where a mode adds scores up, which keeps its
                 *     own record in the same step as the effect and answers a retry with `status: replayed`.
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
            /** @description How many events were new, how many were known, and which were refused. */
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
                 * @description How long the board collects. Without it `day`; for `xp` and `duels` `alltime`, which is all they have. `season` is for
                 *     games that declare seasons; `last7` and `last30`, the days that end with `date`, for modes with `rolling`.
                 */
                period?: components["parameters"]["Period"];
                /** @description A date within the period. Without it the current one, in UTC; of a group's board of a mode that is computed, in the group's time zone. */
                date?: components["parameters"]["Date"];
                /** @description Which players are ranked. The mode must keep boards of that scope. */
                scope?: components["parameters"]["Scope"];
                /** @description How many entries at most. */
                limit?: number;
                /** @description How many entries to pass over. Not together with a cursor. */
                offset?: number;
                /**
                 * @description The `next_cursor` of the page before, of this very board. It is sealed: one that the board did not give out is 400,
                 *     and so is one around which thousands of the very same score have come in or gone meanwhile. Begin again without one.
                 */
                cursor?: string;
            };
            header?: {
                /** @description Entity tags of answers that the caller has. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A mode of the game, by its name or the one it had before it was renamed, or `xp`, or `duels`. */
                mode: components["parameters"]["Mode"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. A board that nobody is on yet has no entries. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    /**
                     * @description Browsers ask each time. For shared caches: kept so long that no page is older than the game's `cache` time, a page of a closed
                     *     period than an hour; a stale page no longer than the game's `refresh` time.
                     */
                    "Cache-Control": string;
                    /**
                     * @description For content delivery networks (RFC 9213), which may hand out what is stale while they ask again; browsers
                     *     always ask. Left out of a page that marks the caller's own row.
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
                 * @description How long the board collects. Without it `day`; for `xp` and `duels` `alltime`, which is all they have. `season` is for
                 *     games that declare seasons; `last7` and `last30`, the days that end with `date`, for modes with `rolling`.
                 */
                period?: components["parameters"]["Period"];
                /** @description A date within the period. Without it the current one, in UTC; of a group's board of a mode that is computed, in the group's time zone. */
                date?: components["parameters"]["Date"];
                /** @description Which players are ranked. The mode must keep boards of that scope. */
                scope?: components["parameters"]["Scope"];
                /** @description How many buckets at most. */
                buckets?: number;
            };
            header?: {
                /** @description Entity tags of answers that the caller has. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A mode of the game, by its name or the one it had before it was renamed, or `xp`, or `duels`. */
                mode: components["parameters"]["Mode"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The distribution. A board that nobody is on yet has no buckets. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    /** @description As of a page; `private, no-cache` where it has `me`. */
                    "Cache-Control": string;
                    /** @description As of a page. Left out where it has `me`. */
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
                 * @description How long the board collects. Without it `day`; for `xp` and `duels` `alltime`, which is all they have. `season` is for
                 *     games that declare seasons; `last7` and `last30`, the days that end with `date`, for modes with `rolling`.
                 */
                period?: components["parameters"]["Period"];
                /** @description A date within the period. Without it the current one, in UTC; of a group's board of a mode that is computed, in the group's time zone. */
                date?: components["parameters"]["Date"];
                /** @description How many entries at most. */
                limit?: number;
                /** @description How many entries to pass over. Not together with a cursor. */
                offset?: number;
                /** @description The `next_cursor` of the page before, of this very board. */
                cursor?: string;
            };
            header?: {
                /** @description Entity tags of answers that the caller has. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A mode of the game, by its name or the one it had before it was renamed, or `xp`, or `duels`. */
                mode: components["parameters"]["Mode"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The board. One that has not been merged yet has no sites and no entries. */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    /** @description As of a page; `private, no-cache` where it has `me`. */
                    "Cache-Control": string;
                    /** @description As of a page. Left out where it has `me`. */
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
                 * @description How long the board collects. Without it `day`; for `xp` and `duels` `alltime`, which is all they have. `season` is for
                 *     games that declare seasons; `last7` and `last30`, the days that end with `date`, for modes with `rolling`.
                 */
                period?: components["parameters"]["Period"];
                /** @description A date within the period. Without it the current one, in UTC; of a group's board of a mode that is computed, in the group's time zone. */
                date?: components["parameters"]["Date"];
                /** @description Which players are ranked. The mode must keep boards of that scope. */
                scope?: components["parameters"]["Scope"];
                /** @description How many entries at most. */
                limit?: number;
                /** @description As the header Last-Event-ID, which goes before it. */
                last_event_id?: string;
            };
            header?: {
                /** @description The `id` of the last event that was seen. One that this process does not know is as good as none. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description A mode of the game, by its name or the one it had before it was renamed, or `xp`, or `duels`. */
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
            /** @description Boards are streamed there. */
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
                /** @description As the header Last-Event-ID, which goes before it. */
                last_event_id?: string;
            };
            header?: {
                /** @description The `id` of the event `closed`, for which the answer is 204. */
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
            /** @description The duel is over, and the caller has been told. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Duels are streamed there. */
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
                /** @description As the header Last-Event-ID, which goes before it. */
                last_event_id?: string;
            };
            header?: {
                /** @description The `id` of the event `closed`, for which the answer is 204. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description Whoever knows the id of a race that waits may join it. */
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
            /** @description The race is over, and the caller has been told. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Races are streamed there. */
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
                 * @description How long the board collects. Without it `day`; for `xp` and `duels` `alltime`, which is all they have. `season` is for
                 *     games that declare seasons; `last7` and `last30`, the days that end with `date`, for modes with `rolling`.
                 */
                period?: components["parameters"]["Period"];
                /** @description A date within the period. Without it the current one, in UTC; of a group's board of a mode that is computed, in the group's time zone. */
                date?: components["parameters"]["Date"];
                /** @description Which players are ranked. The mode must keep boards of that scope. */
                scope?: components["parameters"]["Scope"];
                /**
                 * @description A hint: the rank that the caller knows of, as a submission has answered it. On surroundings a good one saves the look-up
                 *     of the rank, and one that is off by more than the places around it costs one command. It changes no answer.
                 */
                near?: components["parameters"]["Near"];
            };
            header?: {
                /** @description Entity tags of answers that the caller has. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A mode of the game, by its name or the one it had before it was renamed, or `xp`, or `duels`. */
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
                 * @description How long the board collects. Without it `day`; for `xp` and `duels` `alltime`, which is all they have. `season` is for
                 *     games that declare seasons; `last7` and `last30`, the days that end with `date`, for modes with `rolling`.
                 */
                period?: components["parameters"]["Period"];
                /** @description A date within the period. Without it the current one, in UTC; of a group's board of a mode that is computed, in the group's time zone. */
                date?: components["parameters"]["Date"];
                /** @description Which players are ranked. The mode must keep boards of that scope. */
                scope?: components["parameters"]["Scope"];
                /** @description How many entries above and below. */
                range?: number;
                /**
                 * @description A hint: the rank that the caller knows of, as a submission has answered it. On surroundings a good one saves the look-up
                 *     of the rank, and one that is off by more than the places around it costs one command. It changes no answer.
                 */
                near?: components["parameters"]["Near"];
            };
            header?: {
                /** @description Entity tags of answers that the caller has. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A mode of the game, by its name or the one it had before it was renamed, or `xp`, or `duels`. */
                mode: components["parameters"]["Mode"];
                /** @description A player's id, or `me` for the owner of the session token. */
                player: components["parameters"]["Player"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The surroundings. */
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
                 * @description How long the board collects. Without it `day`; for `xp` and `duels` `alltime`, which is all they have. `season` is for
                 *     games that declare seasons; `last7` and `last30`, the days that end with `date`, for modes with `rolling`.
                 */
                period?: components["parameters"]["Period"];
                /** @description A date within the period. Without it the current one, in UTC; of a group's board of a mode that is computed, in the group's time zone. */
                date?: components["parameters"]["Date"];
                /** @description Which players are ranked. The mode must keep boards of that scope. */
                scope?: components["parameters"]["Scope"];
            };
            header?: never;
            path: {
                /** @description A mode of the game, by its name or the one it had before it was renamed, or `xp`, or `duels`. */
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
                /** @description Entity tags of answers that the caller has. */
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
            /** @description Nothing is left. */
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
            /** @description What stands now. */
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
                /** @description The `next` of the page before, within an hour. */
                cursor?: components["parameters"]["DocumentCursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is kept of the owner of the session token. */
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
                /** @description Entity tags of answers that the caller has. */
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
                /** @description Entity tags of answers that the caller has. */
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
                 * @description A new one for each request, the same for every retry of it: 1 to 255 visible ASCII characters other than the
                 *     quotation mark, within quotation marks or bare. For 24 hours, for each caller and route, the same request gets the
                 *     first one's answer with `Idempotency-Replayed: true`; another body is refused (422), and so is a retry while the
                 *     first request is still running (409). Errors are not kept. Required where a mode adds scores up, which keeps its
                 *     own record in the same step as the effect and answers a retry with `status: replayed`.
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
            /** @description It is spent; `balance` is what was left then. */
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
                /** @description A mode of the game; without it, all. */
                mode?: components["schemas"]["ModeName"];
                /** @description Results of the page. */
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
    getLeague: {
        parameters: {
            query?: never;
            header?: {
                /** @description Entity tags of answers that the caller has. */
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
                 * @description A new one for each request, the same for every retry of it: 1 to 255 visible ASCII characters other than the
                 *     quotation mark, within quotation marks or bare. For 24 hours, for each caller and route, the same request gets the
                 *     first one's answer with `Idempotency-Replayed: true`; another body is refused (422), and so is a retry while the
                 *     first request is still running (409). Errors are not kept. Required where a mode adds scores up, which keeps its
                 *     own record in the same step as the effect and answers a retry with `status: replayed`.
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
            /** @description The player of the token. */
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
            /** @description Who may not play. */
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
    readPlayer: {
        parameters: {
            query?: {
                /** @description The `next` of the page before, within an hour. */
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
            /** @description What is kept of the player. */
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
            /** @description Nothing is left. */
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
            /** @description What was done. */
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
                /** @description The first date of the boards, up to 365 days before `to`; 30 days before it where it is left out. */
                from?: string;
                /** @description The last date of the boards; the newest that takes scores where it is left out. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What they did. */
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
            /** @description What waits. */
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
            /** @description What now stands. */
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
            /** @description It waits no more, and never counts. */
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
                /** @description How many dates, today's included. */
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who plays. */
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
            /** @description The score is not there. */
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
                /** @description Whether the keys of Redis are counted too, for 1 command. */
                keys?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redis answers. */
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
            /** @description Whether writes wait. */
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
            /** @description Writes wait. */
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
            /** @description Writes do not wait. */
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
            /** @description How the product stands. */
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
            /** @description What is there. */
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
            /** @description It has begun; or there was nothing to send back. */
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
                 * @description What each day is told by besides functions: `route` adds `by_route` with each route's budget, `caller` adds `by_caller` and `dearest`,
                 *     `schedule` adds `by_schedule`.
                 */
                by?: "function" | "route" | "caller" | "schedule";
                /** @description How many play on a day now, for `what_if`; left out, it is guessed from scores. */
                players?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What each day cost. */
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
                 * @description How long the board collects. Without it `day`; for `xp` and `duels` `alltime`, which is all they have. `season` is for
                 *     games that declare seasons; `last7` and `last30`, the days that end with `date`, for modes with `rolling`.
                 */
                period?: components["parameters"]["Period"];
                /** @description A date within the period. Without it the current one, in UTC; of a group's board of a mode that is computed, in the group's time zone. */
                date?: components["parameters"]["Date"];
            };
            header?: {
                /** @description Entity tags of answers that the caller has. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /** @description A mode of the game, by its name or the one it had before it was renamed, or `xp`, or `duels`. */
                mode: components["parameters"]["Mode"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The board. It has no entries where none of them has played. */
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
            /** @description Everything between the caller and others. */
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
                 * @description A new one for each request, the same for every retry of it: 1 to 255 visible ASCII characters other than the
                 *     quotation mark, within quotation marks or bare. For 24 hours, for each caller and route, the same request gets the
                 *     first one's answer with `Idempotency-Replayed: true`; another body is refused (422), and so is a retry while the
                 *     first request is still running (409). Errors are not kept. Required where a mode adds scores up, which keeps its
                 *     own record in the same step as the effect and answers a retry with `status: replayed`.
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
            /** @description It was asked already, or they are friends. */
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
            /** @description The other has to accept. */
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
                 * @description A new one for each request, the same for every retry of it: 1 to 255 visible ASCII characters other than the
                 *     quotation mark, within quotation marks or bare. For 24 hours, for each caller and route, the same request gets the
                 *     first one's answer with `Idempotency-Replayed: true`; another body is refused (422), and so is a retry while the
                 *     first request is still running (409). Errors are not kept. Required where a mode adds scores up, which keeps its
                 *     own record in the same step as the effect and answers a retry with `status: replayed`.
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
                 * @description A new one for each request, the same for every retry of it: 1 to 255 visible ASCII characters other than the
                 *     quotation mark, within quotation marks or bare. For 24 hours, for each caller and route, the same request gets the
                 *     first one's answer with `Idempotency-Replayed: true`; another body is refused (422), and so is a retry while the
                 *     first request is still running (409). Errors are not kept. Required where a mode adds scores up, which keeps its
                 *     own record in the same step as the effect and answers a retry with `status: replayed`.
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
    acceptInvite: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A new one for each request, the same for every retry of it: 1 to 255 visible ASCII characters other than the
                 *     quotation mark, within quotation marks or bare. For 24 hours, for each caller and route, the same request gets the
                 *     first one's answer with `Idempotency-Replayed: true`; another body is refused (422), and so is a retry while the
                 *     first request is still running (409). Errors are not kept. Required where a mode adds scores up, which keeps its
                 *     own record in the same step as the effect and answers a retry with `status: replayed`.
                 * @example "7f9c2ba4-e88f-11ee-8d3c-0242ac120002"
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description What the invite's maker has passed on. */
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
            /** @description They are friends, `player` is who made the invite. */
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
                /** @description The message, the same in each delivery. */
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
            /** @description It need not be sent again. */
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
                /** @description Nobody sees the duels of another player. */
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
                 * @description A new one for each request, the same for every retry of it: 1 to 255 visible ASCII characters other than the
                 *     quotation mark, within quotation marks or bare. For 24 hours, for each caller and route, the same request gets the
                 *     first one's answer with `Idempotency-Replayed: true`; another body is refused (422), and so is a retry while the
                 *     first request is still running (409). Errors are not kept. Required where a mode adds scores up, which keeps its
                 *     own record in the same step as the effect and answers a retry with `status: replayed`.
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
                 * @description A new one for each request, the same for every retry of it: 1 to 255 visible ASCII characters other than the
                 *     quotation mark, within quotation marks or bare. For 24 hours, for each caller and route, the same request gets the
                 *     first one's answer with `Idempotency-Replayed: true`; another body is refused (422), and so is a retry while the
                 *     first request is still running (409). Errors are not kept. Required where a mode adds scores up, which keeps its
                 *     own record in the same step as the effect and answers a retry with `status: replayed`.
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
            /** @description The caller waits no more. */
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
    acceptDuel: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A new one for each request, the same for every retry of it: 1 to 255 visible ASCII characters other than the
                 *     quotation mark, within quotation marks or bare. For 24 hours, for each caller and route, the same request gets the
                 *     first one's answer with `Idempotency-Replayed: true`; another body is refused (422), and so is a retry while the
                 *     first request is still running (409). Errors are not kept. Required where a mode adds scores up, which keeps its
                 *     own record in the same step as the effect and answers a retry with `status: replayed`.
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
                 * @description A new one for each request, the same for every retry of it: 1 to 255 visible ASCII characters other than the
                 *     quotation mark, within quotation marks or bare. For 24 hours, for each caller and route, the same request gets the
                 *     first one's answer with `Idempotency-Replayed: true`; another body is refused (422), and so is a retry while the
                 *     first request is still running (409). Errors are not kept. Required where a mode adds scores up, which keeps its
                 *     own record in the same step as the effect and answers a retry with `status: replayed`.
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
            /** @description The result has been taken in; `status` tells what it did. */
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
                 * @description A new one for each request, the same for every retry of it: 1 to 255 visible ASCII characters other than the
                 *     quotation mark, within quotation marks or bare. For 24 hours, for each caller and route, the same request gets the
                 *     first one's answer with `Idempotency-Replayed: true`; another body is refused (422), and so is a retry while the
                 *     first request is still running (409). Errors are not kept. Required where a mode adds scores up, which keeps its
                 *     own record in the same step as the effect and answers a retry with `status: replayed`.
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
                 * @description A new one for each request, the same for every retry of it: 1 to 255 visible ASCII characters other than the
                 *     quotation mark, within quotation marks or bare. For 24 hours, for each caller and route, the same request gets the
                 *     first one's answer with `Idempotency-Replayed: true`; another body is refused (422), and so is a retry while the
                 *     first request is still running (409). Errors are not kept. Required where a mode adds scores up, which keeps its
                 *     own record in the same step as the effect and answers a retry with `status: replayed`.
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
            422: components["responses"]["KeyReused"];
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
            /** @description The caller waits no more. */
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
                /** @description Whoever knows the id of a race that waits may join it. */
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
                /** @description Whoever knows the id of a race that waits may join it. */
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
                /** @description Whoever knows the id of a race that waits may join it. */
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
            /** @description How far everybody has come. */
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
                /** @description Whoever knows the id of a race that waits may join it. */
                id: components["parameters"]["RaceId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The race without the caller, or decided. */
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
                /** @description SHA-256 of a file in `api/queries` of the deployment, byte for byte, in small hexadecimal digits. */
                hash: string;
                /** @description A JSON object with a value for each variable, at most 2 KiB. */
                variables?: string;
            };
            header?: {
                /** @description Entity tags of answers that the caller has. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was asked for; what could not be answered is null. */
            200: {
                headers: {
                    /**
                     * @description As of the page of a board, of all that was read the shortest. Own things are kept by nobody else, and an answer
                     *     with errors by nobody.
                     */
                    "Cache-Control": string;
                    /** @description As of the page of a board; left out where caches may not keep the answer. */
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
            /** @description What was asked for; what could not be answered is null. */
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
                /** @description Entity tags of answers that the caller has. */
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
                /** @description Today where it is left out. */
                date?: string;
                limit?: number;
                /** @description Entries that were played later alone. */
                since?: string;
            };
            header?: {
                /** @description Entity tags of answers that the caller has. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest entries; none where nobody has played yet. */
            200: {
                headers: {
                    /** @description Browsers ask each time, shared caches keep it for the game's `refresh`. */
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
                /** @description Entity tags of answers that the caller has. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How many are there. */
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
                /** @description Entity tags of answers that the caller has. */
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
                /** @description Entity tags of answers that the caller has. */
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
