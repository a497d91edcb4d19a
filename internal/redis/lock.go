package redis

import (
	"context"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/platform/wait"
	"github.com/framedle/leaderboards/upstash"
)

// How a lock lives: a run that was killed blocks the next one for lockLife,
// and one that continues renews it.
const (
	lockLife  = 4 * time.Second
	lockRenew = lockLife / 2
	lockPoll  = lockLife / 8
	lockWait  = 10 * time.Second
)

// WithLock runs a job unless another run of it is at work, for whose end it waits up to 10 s.
// It only saves work: every job here is right however many runs of it there are at once.
//
// Cost: 2 billed commands, 1 for every two seconds of the job, and 2 for every
// second of waiting.
func (db *DB) WithLock(ctx context.Context, job string, run func(context.Context) error) (ran bool, err error) {
	key := game.LockKey(job)
	take := upstash.Cmd("SET", key, db.ID, "NX", "PX", Itoa(lockLife.Milliseconds()))
	for waited := time.Duration(0); ; waited += lockPoll {
		reply, err := db.Redis.Do(ctx, take)
		if err != nil {
			return false, Wrap("take the lock of "+job, err)
		}
		if !reply.IsNil() {
			break
		}
		if waited >= lockWait {
			return false, nil
		}
		if err := wait.Sleep(ctx, lockPoll); err != nil {
			return false, err
		}
	}
	renewing, stop := context.WithCancel(ctx)
	renewed := make(chan struct{})
	go func() {
		defer close(renewed)
		db.renew(renewing, key)
	}()
	defer func() {
		stop()
		<-renewed
		release, cancel := context.WithTimeout(context.WithoutCancel(ctx), lockLife)
		defer cancel()
		_, _ = db.Redis.Do(release, upstash.Cmd("DEL", key).Idempotent()) // without it, the lock expires by itself
	}()
	return true, run(ctx)
}

func (db *DB) renew(ctx context.Context, key string) {
	tick := time.NewTicker(lockRenew)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			// The command is not cut off, so that the meter counts what Redis has run.
			whole, cancel := context.WithTimeout(context.WithoutCancel(ctx), lockLife)
			_, _ = db.Redis.Do(whole, upstash.Cmd("PEXPIRE", key, Itoa(lockLife.Milliseconds())).Idempotent())
			cancel()
		}
	}
}
