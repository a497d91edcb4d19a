package functions_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/platform/auth"
	"github.com/framedle/leaderboards/internal/platform/auth/authtest"
	"github.com/framedle/leaderboards/upstash/upstashtest"
)

// anonymousGame writes an overlay for go build in which the built-in game has devices.
func anonymousGame(t *testing.T) string {
	t.Helper()
	file, err := filepath.Abs("../games/framedle.yaml")
	require.NoError(t, err)
	rules, err := os.ReadFile(file)
	require.NoError(t, err)
	changed := filepath.Join(t.TempDir(), "framedle.yaml")
	require.NoError(t, os.WriteFile(changed, append(rules, "\nanonymous: true\n"...), 0o600))
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{file: changed}})
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(name, overlay, 0o600))
	return name
}

// secret is a secret of docs/operate/rotate.md, which says how to change it.
type secret struct {
	name, old, new string
	separator      string
	refused        int // status of a request with the wrong one
	// made returns a credential that a process makes with its secret; it is nil where the
	// secret itself is sent.
	made func(*service) string
	// use sends a request with it and returns the status.
	use func(s *service, sent string) int
}

func (r secret) sentBy(secret string, processes ...*service) (all []string) {
	if r.made == nil {
		return []string{secret}
	}
	for _, p := range processes {
		all = append(all, r.made(p))
	}
	return all
}

const origin = "Framedle-Origin"

// bearer returns a function that sends a request with a bearer token.
func bearer(method, path string) func(*service, string) int {
	return func(s *service, token string) int {
		return s.status(s.T, method, path, "", map[string]string{"Authorization": "Bearer " + token})
	}
}

func long(name string) string { return name + strings.Repeat("-x", 20) }

func rotated(t *testing.T) []secret {
	owners := map[string]*authtest.Issuer{}
	pem := func() string {
		issuer := authtest.New(t)
		owners[issuer.PEM()] = issuer
		return issuer.PEM()
	}
	return []secret{
		{name: "OPS_TOKEN", old: long("old-ops"), new: long("new-ops"), separator: ",", refused: 401, use: bearer("GET", "/v1/ops/health")},
		{name: "SCHEDULE_TOKEN", old: long("old-schedule"), new: long("new-schedule"), separator: ", ", refused: 401, use: bearer("POST", "/v1/ops/schedules/cron-usage")},
		{name: "METRICS_TOKEN", old: long("old-metrics"), new: long("new-metrics"), separator: ",", refused: 401, use: bearer("GET", "/metrics")},
		{name: "SIGNING_KEYS", old: long("old-signing"), new: long("new-signing"), separator: ",", refused: 401, use: func(s *service, key string) int {
			body := `{"mode":"daily_frame","player":"user_signed","score":800}`
			return s.status(s.T, "POST", "/v1/scores", body, signedBy(key, body))
		}},
		keysOfADevice(),
		clerkSecrets(),
		{name: "CLERK_JWT_KEY", old: pem(), new: pem(), separator: "\n", refused: 401, use: func(s *service, key string) int {
			token := owners[key].Token(authtest.Claims("user_session", time.Now(), nil))
			return s.status(s.T, "GET", "/v1/me", "", map[string]string{"Authorization": "Bearer " + token})
		}},
		{name: "ORIGIN_SECRET", old: long("old-origin"), new: long("new-origin"), separator: ",", refused: 403, use: func(s *service, sent string) int {
			return s.status(s.T, "GET", "/v1/leaderboards/daily_frame", "", map[string]string{origin: sent})
		}},
		{name: "SECRET", old: long("old-secret"), new: long("new-secret"), separator: ",", refused: 400, made: func(s *service) string {
			return s.field("GET", "/v1/leaderboards/daily_frame?limit=1", "", nil, "next_cursor")
		}, use: func(s *service, cursor string) int {
			return s.status(s.T, "GET", "/v1/leaderboards/daily_frame?limit=1&cursor="+url.QueryEscape(cursor), "", nil)
		}},
	}
}

func signedBy(key, body string) map[string]string {
	return map[string]string{"Framedle-Signature": auth.SignRequest(key, time.Now(), auth.Request{Method: "POST", Path: "/v1/scores", Body: []byte(body)})}
}

// Every secret goes through the three deployments of docs/operate/rotate.md. During each one the
// processes of the deployment before still run, as they do while a host replaces them. A
// credential that was valid at one of the two is valid at the other.
func TestEverySecretIsRotatedWithoutAGap(t *testing.T) {
	redis := upstashtest.Start(t, upstashtest.Options{})
	binary := forAnyHost(t, "all", "-overlay", anonymousGame(t))
	rows, database := rotated(t), archivetest.Database(t)
	deploy := func(value func(secret) string) *service {
		env := []string{
			"UPSTASH_REDIS_REST_URL=" + redis.URL(), "UPSTASH_REDIS_REST_TOKEN=" + redis.Token(), "DATABASE_URL=" + database,
			"CLERK_ISSUER=" + authtest.IssuerURL, "DEVICE_KEYS=" + long("kept"), // unless a row has others
		}
		for _, r := range rows {
			env = append(env, r.name+"="+value(r))
		}
		s := startBinary(t, binary, env...)
		for _, r := range rows {
			if r.name == "ORIGIN_SECRET" {
				s.origin = strings.Split(value(r), r.separator)[0]
			}
		}
		return s
	}
	before := deploy(func(r secret) string { return r.old })
	taking := deploy(func(r secret) string { return r.old + r.separator + r.new })
	using := deploy(func(r secret) string { return r.new + r.separator + r.old })
	after := deploy(func(r secret) string { return r.new })
	for _, player := range []string{"user_first", "user_second"} { // so that there is a second page
		body := `{"mode":"daily_frame","player":"` + player + `","score":700}`
		require.Equal(t, 201, before.status(t, "POST", "/v1/scores", body, signedBy(rows[3].old, body)))
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			good := func(s *service, sent, why string) {
				status := r.use(s, sent)
				require.True(t, status >= 200 && status < 300, "%s: %d", why, status)
			}
			for _, sent := range r.sentBy(r.old, before, taking) {
				good(before, sent, "the old one, before")
				good(taking, sent, "the old one, with old,new")
				good(using, sent, "the old one, with new,old")
				require.Equal(t, r.refused, r.use(after, sent), "the old one, after")
			}
			for _, sent := range r.sentBy(r.new, using, after) {
				require.Equal(t, r.refused, r.use(before, sent), "the new one, before")
				good(taking, sent, "the new one, with old,new")
				good(using, sent, "the new one, with new,old")
				good(after, sent, "the new one, after")
			}
			if r.made == nil && r.separator == "," && strings.HasSuffix(r.name, "_TOKEN") {
				require.Equal(t, 401, r.use(using, r.new+","+r.old), "a client sends one of them")
			}
		})
	}

	// A request that is repeated after the change finds its record under the key that
	// signed the first one.
	body := `{"mode":"daily_frame","player":"user_again","score":800}`
	once := func(s *service, key string) *http.Response {
		headers := signedBy(key, body)
		headers["Idempotency-Key"] = "once"
		return s.send("POST", "/v1/scores", body, headers)
	}
	require.Equal(t, 201, once(before, rows[3].old).StatusCode)
	again := once(using, rows[3].old)
	require.Equal(t, 201, again.StatusCode)
	require.Equal(t, "true", again.Header.Get("Idempotency-Replayed"))
	other := once(after, rows[3].new)
	require.Equal(t, 200, other.StatusCode, "under the other key it is another request, which changes nothing")
}

// A deployment without SECRET seals cursors with the token of Redis. It gets a secret of
// its own without a gap, and then the token may be reset.
func TestTheTokenOfRedisIsResetAndCursorsGoOn(t *testing.T) {
	const old, reset, own = "the-first-token-of-redis-0123456789", "the-second-token-of-redis-0123456789", "a-secret-of-the-deployment-0123456789"
	first := upstashtest.Start(t, upstashtest.Options{Token: old})
	address, err := url.Parse(first.URL())
	require.NoError(t, err)
	upstash := httputil.NewSingleHostReverseProxy(address)
	var gone atomic.Bool // Upstash has reset the token
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		if current := map[bool]string{false: old, true: reset}[gone.Load()]; sent != current {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = w.Write([]byte(`{"error":"WRONGPASS invalid or missing auth token"}`))
			return
		}
		r.Header.Set("Authorization", "Bearer "+old)
		upstash.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	binary := forAnyHost(t, "all")
	deploy := func(token, secret string) *service {
		return startBinary(t, binary, "UPSTASH_REDIS_REST_URL="+front.URL, "UPSTASH_REDIS_REST_TOKEN="+token, "SECRET="+secret, "SIGNING_KEYS="+signingKey, "OPS_TOKEN="+operatorToken)
	}
	cursor := func(s *service) string {
		return s.field("GET", "/v1/leaderboards/daily_frame?limit=1", "", nil, "next_cursor")
	}
	turn := func(s *service, cursor string) int {
		return s.status(t, "GET", "/v1/leaderboards/daily_frame?limit=1&cursor="+url.QueryEscape(cursor), "", nil)
	}
	without := deploy(old, "")
	for _, player := range []string{"user_a", "user_b", "user_c"} {
		body := `{"mode":"daily_frame","player":"` + player + `","score":700}`
		require.Equal(t, 201, without.status(t, "POST", "/v1/scores", body, signedBy(signingKey, body)))
	}
	taking, using := deploy(old, old+","+own), deploy(old, own+","+old)
	require.Equal(t, 200, turn(without, cursor(taking)))
	require.Equal(t, 200, turn(taking, cursor(using)))
	require.Equal(t, 200, turn(using, cursor(without)))

	gone.Store(true)
	body := `{"mode":"daily_frame","player":"user_d","score":700}`
	require.Equal(t, 503, using.status(t, "POST", "/v1/scores", body, signedBy(signingKey, body)))
	health := using.send("GET", "/v1/ops/health", "", map[string]string{"Authorization": "Bearer " + operatorToken})
	require.Equal(t, 503, health.StatusCode)
	require.Contains(t, text(t, health), "UPSTASH_REDIS_REST_TOKEN")
	next := deploy(reset, own+","+old)
	require.Equal(t, 201, next.status(t, "POST", "/v1/scores", body, signedBy(signingKey, body)))
	require.Equal(t, 200, turn(next, cursor(next)))
}

// A second role, which is a member of the first, replaces the database's role; then the
// first one gives away its tables and is dropped.
func TestTheRoleOfTheDatabaseIsReplaced(t *testing.T) {
	admin := archivetest.Database(t)
	sql := func(address string, statements ...string) {
		conn, err := pgx.Connect(t.Context(), address)
		require.NoError(t, err)
		for _, statement := range statements {
			_, err := conn.Exec(t.Context(), statement)
			require.NoError(t, err, statement)
		}
		require.NoError(t, conn.Close(t.Context()))
	}
	as := func(role string) string {
		u, err := url.Parse(admin)
		require.NoError(t, err)
		u.User = url.UserPassword(role, "secret-of-"+role)
		return u.String()
	}
	u, err := url.Parse(admin)
	require.NoError(t, err)
	owner := u.User.Username()
	name := strings.TrimPrefix(u.Path, "/")
	oldRole, newRole := name+"_old", name+"_new"
	sql(admin, "CREATE ROLE "+oldRole+" LOGIN PASSWORD 'secret-of-"+oldRole+"'", "GRANT CREATE ON SCHEMA public TO "+oldRole)
	for _, table := range tables(t, admin) {
		sql(admin, "ALTER TABLE "+table+" OWNER TO "+oldRole)
	}
	redis := upstashtest.Start(t, upstashtest.Options{})
	binary := forAnyHost(t, "all")
	deploy := func(database string) *service {
		return startBinary(t, binary, "UPSTASH_REDIS_REST_URL="+redis.URL(), "UPSTASH_REDIS_REST_TOKEN="+redis.Token(), "DATABASE_URL="+database, "SIGNING_KEYS="+signingKey, "OPS_TOKEN="+operatorToken)
	}
	n := 0
	archives := func(s *service) { // writes rows, and creates the partition of a month where it is missing
		n++
		body := fmt.Sprintf(`{"mode":"daily_frame","player":"user_%d","score":700}`, n)
		require.Equal(t, 201, s.status(t, "POST", "/v1/scores", body, signedBy(signingKey, body)))
		require.Equal(t, 200, bearer("POST", "/v1/ops/schedules/cron-save")(s, operatorToken), s.log)
	}
	before := deploy(as(oldRole))
	archives(before)
	sql(admin, "CREATE ROLE "+newRole+" LOGIN IN ROLE "+oldRole+" PASSWORD 'secret-of-"+newRole+"'", "GRANT CREATE ON SCHEMA public TO "+newRole)
	after := deploy(as(newRole))
	sql(admin, "DROP TABLE IF EXISTS results_"+time.Now().UTC().Format("2006_01")) // as in a new month
	archives(after)
	archives(before)
	before.stop()
	sql(admin, "REASSIGN OWNED BY "+oldRole+" TO "+newRole, "DROP OWNED BY "+oldRole, "DROP ROLE "+oldRole)
	archives(after)
	after.stop()
	sql(admin, "REASSIGN OWNED BY "+newRole+" TO "+owner, "DROP OWNED BY "+newRole, "DROP ROLE "+newRole)
}

// tables are the tables that migrations have created.
func tables(t *testing.T, address string) []string {
	conn, err := pgx.Connect(t.Context(), address)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
	require.NoError(t, err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return names
}

func text(t *testing.T, res *http.Response) string {
	var b bytes.Buffer
	_, err := b.ReadFrom(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return b.String()
}
