package upstashtest_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const notifications = "notify-keyspace-events"

// keyspaceCases run over both engines, with all classes on that the embedded one
// publishes. Each line has a command and the events that it must publish: EVENT KEY,
// separated by commas.
const keyspaceCases = `
ZADD b 1 ana                        -> zadd b
ZADD b 1 ana                        ->
ZADD b NX 2 ana                     ->
ZADD b GT 1 ana                     ->
ZADD b GT 5 ana 3 ben               -> zadd b
ZADD b XX 5 cid                     ->
ZADD b 0 nil                        -> zadd b
ZADD b nan nil                      ->
ZADD b INCR 1 ana                   -> zincr b
ZINCRBY b 2 ana                     -> zincr b
ZINCRBY b 0 ana                     ->
ZINCRBY b 0 new                     -> zincr b
ZADD b CH 0 new 9 dan               -> zadd b
ZREM b nobody                       ->
ZREM b new nil dan                  -> zrem b
ZSCORE b ana                        ->
ZUNIONSTORE w 2 b c                 -> zunionstore w
ZUNIONSTORE w 2 c d                 -> del w
ZUNIONSTORE w 2 c d                 ->
ZINTERSTORE w 1 b                   -> zinterstore w
ZDIFFSTORE v 2 w b                  ->
ZDIFFSTORE v 2 w c                  -> zdiffstore v
ZDIFFSTORE v 1 c                    -> del v
ZRANGESTORE v b 0 0                 -> zrangestore v
ZRANGESTORE v c 0 0                 -> del v
ZREMRANGEBYRANK w 5 9               ->
ZREMRANGEBYRANK w 0 0               -> zremrangebyrank w
ZREMRANGEBYSCORE w -inf +inf        -> zremrangebyscore w, del w
ZADD w 1 a 1 b                      -> zadd w
ZREMRANGEBYLEX w - +                -> zremrangebylex w, del w
ZADD w 1 a 2 b 3 c                  -> zadd w
ZPOPMIN w                           -> zpopmin w
ZPOPMAX w 5                         -> zpopmax w, del w
ZPOPMAX w                           ->
ZADD w 1 a                          -> zadd w
ZREM w a                            -> zrem w, del w
EXPIRE b 100                        -> expire b
EXPIRE b 100 NX                     ->
PERSIST b                           -> persist b
PERSIST b                           ->
EXPIRE nobody 100                   ->
PEXPIREAT b 99999999999999          -> expire b
EXPIREAT b 1                        -> del b
ZADD b 1 ana                        -> zadd b
COPY b c                            -> copy_to c
COPY b c                            ->
RENAME b d                          -> rename_from b, rename_to d
RENAME d d                          ->
RENAME nobody d                     ->
RENAMENX d c                        ->
RENAMENX d e                        -> rename_from d, rename_to e
DEL c e c nobody                    -> del c, del e
UNLINK c                            ->
SET s 1                             ->
SET s 1 EX 100                      -> expire s
SET s 1 NX EX 100                   ->
SETEX s 100 1                       -> expire s
GETEX s PERSIST                     -> persist s
GETEX s PERSIST                     ->
GETEX s EX 100                      -> expire s
GETDEL s                            -> del s
GETDEL s                            ->
SADD m a                            ->
SREM m a                            -> del m
RPUSH l a b                         ->
LPOP l                              ->
LPOP l                              -> del l
HSET f a 1                          -> hset f
HSET f a 1 b 2                      -> hset f
HSET f a                            ->
HMSET f c 3                         -> hset f
HSETNX f a 2                        ->
HSETNX f d 4                        -> hset f
HINCRBY f a 1                       -> hincrby f
HINCRBY f a x                       ->
HINCRBYFLOAT f a 0.5                -> hincrbyfloat f
HDEL f nobody                       ->
HDEL f a                            -> hdel f
HDEL f b c d                        -> hdel f, del f
SADD m a                            ->
SINTERSTORE n 1 m                   ->
SUNIONSTORE n m                     ->
SUNIONSTORE n nobody                -> del n
SET z 1                             ->
ZADD z 1 a                          ->
DEL z                               -> del z
ZADD z a b                          ->
ZADD z                              ->
EVAL return{redis.call('ZADD',KEYS[1],1,'a'),redis.call('DEL',KEYS[1])} 1 lua -> zadd lua, del lua
ZADD e 0 x                          -> zadd e
SET e 1                             ->
FLUSHALL                            ->
`

func TestChangesOfKeysAreTold(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		require.Equal(t, "OK", c.command("CONFIG", "SET", notifications, "KEgzhx"))
		events, _ := c.listen("/psubscribe/__key*@0__:*", "")
		require.Equal(t, "psubscribe,__key*@0__:*,1", events())
		for line := range strings.Lines(strings.TrimSpace(keyspaceCases)) {
			command, got, _ := strings.Cut(line, "->")
			c.command(strings.Fields(command)...)
			c.command("PUBLISH", "__key end@0__:", "done")
			want := []string{}
			for _, one := range strings.Split(strings.TrimSpace(got), ", ") {
				if event, key, ok := strings.Cut(one, " "); ok {
					want = append(want, "__keyspace@0__:"+key+","+event, "__keyevent@0__:"+event+","+key)
				}
			}
			require.Equal(t, want, until(events, "__key end@0__:,done"), "%s", line)
		}
	})
}

// until returns the events of a pattern before the one that ends them.
func until(next func() string, end string) []string {
	got := []string{}
	for {
		event := next()
		if event == "" {
			return append(got, "the stream has ended")
		}
		event = event[strings.Index(event, ":*,")+len(":*,"):]
		if event == end {
			return got
		}
		got = append(got, event)
	}
}

func TestKeysThatExpireAreToldThoughNobodyAsks(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		require.Equal(t, "OK", c.command("CONFIG", "SET", notifications, "Ex"))
		events, _ := c.listen("/psubscribe/__key*@0__:*", "")
		require.Equal(t, "psubscribe,__key*@0__:*,1", events())
		c.command("ZADD", "later", "1", "a")
		c.command("EXPIRE", "later", "100")
		c.command("ZADD", "soon", "1", "a")
		c.command("PEXPIRE", "soon", "20")
		require.Equal(t, "pmessage,__key*@0__:*,__keyevent@0__:expired,soon", events())
	})
}

func TestTheSettingOfNotificationsIsKept(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		require.Equal(t, []any{notifications, ""}, c.command("CONFIG", "GET", notifications))
		for _, set := range []struct{ given, kept string }{
			{"Kz", "zK"}, {"KEA", "AKE"}, {"Ag$lshzxetdmn", "Am"}, {"g$lshzxetd", "A"}, {"xxKKzEgm", "gzxKEm"},
			{"nK", "nK"}, {"", ""}, {"AKn", "AK"},
		} {
			require.Equal(t, "OK", c.command("CONFIG", "SET", strings.ToUpper(notifications), set.given), set.given)
			got := c.command("CONFIG", "GET", "notify-*")
			require.Equal(t, []any{notifications, set.kept}, got, set.given)
		}
		const failed = "ERR CONFIG SET failed (possibly related to argument '" + notifications + "') - "
		for _, bad := range []struct{ command, want string }{
			{"CONFIG SET " + notifications + " Kq", failed + "Invalid event class character. Use 'Ag$lshzxeKEtmdn'."},
			{"CONFIG SET " + notifications + " K " + notifications + " E", failed + "duplicate parameter"},
			{"CONFIG SET " + notifications, "ERR wrong number of arguments for 'config|set' command"},
			{"CONFIG SET", "ERR wrong number of arguments for 'config|set' command"},
			{"CONFIG GET", "ERR wrong number of arguments for 'config|get' command"},
			{"CONFIG SET no-such-option 1", "ERR Unknown option or number of arguments for CONFIG SET - 'no-such-option'"},
			{"CONFIG NONE", "ERR unknown subcommand 'NONE'. Try CONFIG HELP."},
		} {
			require.EqualValues(t, bad.want, c.command(strings.Fields(bad.command)...), bad.command)
		}
		require.Equal(t, []any{}, c.command("CONFIG", "GET", "no-such-option"))
	})
}

func TestNothingIsToldWhereItIsNotAskedFor(t *testing.T) {
	onBothEngines(t, func(t *testing.T, c client) {
		events, _ := c.listen("/psubscribe/__key*@0__:*", "")
		require.Equal(t, "psubscribe,__key*@0__:*,1", events())
		for _, flags := range []string{"", "K", "zgx", "Kx", "KEg", "Kz"} {
			c.command("CONFIG", "SET", notifications, flags)
			c.command("ZADD", "b", "1", flags+"!")
		}
		c.command("PUBLISH", "__key end@0__:", "done")
		require.Equal(t, []string{"__keyspace@0__:b,zadd"}, slices.Compact(until(events, "__key end@0__:,done")))
	})
}
