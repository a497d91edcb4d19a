package ops

import (
	"net/http"

	"github.com/framedle/leaderboards/internal/api/decode"
	"github.com/framedle/leaderboards/internal/api/gate"
	"github.com/framedle/leaderboards/internal/api/problem"
	"github.com/framedle/leaderboards/internal/api/respond"
	"github.com/framedle/leaderboards/upstash"
)

// healthAnswer is the state of Redis and of the database.
type healthAnswer struct {
	Redis    string `json:"redis"`
	Database string `json:"database"`
	Detail   string `json:"detail,omitempty"` // what to do about the database
	Address  string `json:"address,omitempty"`
	// RedisMilliseconds is how long Redis took to answer, including the network.
	RedisMilliseconds float64        `json:"redis_milliseconds"`
	Keys              *int64         `json:"keys,omitempty"` // in Redis, if the request asked for them
	Operator          operatorAnswer `json:"operator"`
	Version           string         `json:"version"`
	Revision          string         `json:"revision,omitempty"`
}

// operatorAnswer is the operator who asks.
type operatorAnswer struct {
	Actor string `json:"actor"` // as the log has it
	Role  string `json:"role"`
}

// GetHealth checks Redis and the database: GET /v1/ops/health. Without Redis no score is
// taken; if its quota is used up, the problem says so, and when it comes back. Without the
// database, only what is stored there waits.
func (o removing) GetHealth(w http.ResponseWriter, r *gate.Request) error {
	q := decode.OpenQuery(r.URL)
	keys := q.Text("keys")
	if keys != "" && keys != "true" && keys != "false" {
		q.Fault("keys", "this must be true or false")
	}
	if err := q.Done(); err != nil {
		return err
	}
	took, redis, archive := o.Removals.Health(r.Context())
	if upstash.KindOf(redis) == upstash.KindAuth {
		return problem.Unavailable(problem.RefusedToken, problem.CredentialWait)
	}
	if redis != nil {
		return problem.ForOperator(redis, o.Now())
	}
	by := r.Caller.Operator
	answer := healthAnswer{Operator: operatorAnswer{by.Actor(), by.Role.String()}, Version: o.Version, Revision: o.Revision, Redis: "ok", Database: "ok", RedisMilliseconds: float64(took.Microseconds()) / 1000}
	if keys == "true" {
		n, err := o.Removals.Size(r.Context())
		if err != nil {
			return problem.ForOperator(err, o.Now())
		}
		answer.Keys = &n
	}
	if seen := o.Gate.Address(r.Request); seen.IsValid() {
		answer.Address = seen.Addr().String()
	}
	needs, behind := problem.Behind(archive)
	switch {
	case !o.Removals.Archived():
		answer.Database = "none"
	case behind:
		answer.Database, answer.Detail = "behind", needs
	case archive != nil:
		answer.Database = "unreachable"
	}
	return respond.JSON(w, r.Request, http.StatusOK, answer)
}
