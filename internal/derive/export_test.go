package derive

import (
	"github.com/framedle/leaderboards/internal/redis"
)

// Parts that tests look at.
var UniteInRedis = uniteInRedis

// Partly is how long a request's board may take.
const Partly = partly

// DB is the database of a Rollup.
func (ru *Rollup) DB() *redis.DB { return ru.db }

// Totals are the totals that a Rollup knows.
func (ru *Rollup) Totals() *Totals { return ru.totals }

// ForgetDerived forgets which boards were derived.
func (ru *Rollup) ForgetDerived() { ru.derived.Purge() }
