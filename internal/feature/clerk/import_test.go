package clerk_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/framedle/leaderboards/internal/feature/clerk"
	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
)

const key = "sk_test_of_the_instance"

// instance answers as Clerk's Backend API does.
type instance struct {
	mu       sync.Mutex
	users    []string            // ids, oldest first
	members  map[string][]string // users of each organization
	off      bool                // organizations are
	requests int
	before   func(request int, w http.ResponseWriter) (answered bool)
}

func (c *instance) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requests++
	w.Header().Set("Content-Type", "application/json")
	if c.before != nil && c.before(c.requests, w) {
		return
	}
	if r.Header.Get("Authorization") != "Bearer "+key {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte(`{"errors":[{"message":"The provided Clerk Secret Key is invalid.","code":"clerk_key_invalid"}]}`))
		return
	}
	var answer any
	switch {
	case r.URL.Path == "/users":
		answer = page(r, c.users, func(id string) any {
			return map[string]any{
				"object": "user", "id": id, "username": nil, "first_name": "N", "last_name": id, "image_url": "https://img.clerk.com/" + id,
				"public_metadata": map[string]any{"country": "BR"}, "private_metadata": map[string]any{"x": 1}, "created_at": 1700000000000, "updated_at": 1700000000001,
			}
		})
	case r.URL.Path == "/users/count":
		answer = map[string]any{"object": "total_count", "total_count": len(c.users)}
	case c.off:
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte(`{"errors":[{"message":"not enabled","long_message":"The organizations feature is not enabled for this instance.","code":"organization_not_enabled_in_instance"}]}`))
		return
	case r.URL.Path == "/organization_memberships":
		var all []string
		for _, group := range slices.Sorted(maps.Keys(c.members)) {
			for _, id := range c.members[group] {
				all = append(all, group+" "+id)
			}
		}
		answer = map[string]any{"total_count": len(all), "data": page(r, all, func(membership string) any {
			group, id, _ := strings.Cut(membership, " ")
			return map[string]any{
				"object": "organization_membership", "id": "orgmem_" + group + id, "role": "org:member", "created_at": 1, "updated_at": 1700000000002,
				"organization": map[string]any{"object": "organization", "id": group, "name": group}, "public_user_data": map[string]any{"user_id": id, "first_name": "N"},
			}
		})}
	default:
		w.WriteHeader(http.StatusNotFound)
		return
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func page(r *http.Request, ids []string, as func(string) any) []any {
	q := r.URL.Query()
	limit, _ := strconv.Atoi(q.Get("limit"))
	offset, _ := strconv.Atoi(q.Get("offset"))
	if limit < 1 || limit > 500 || q.Get("order_by") != "+created_at" {
		return nil
	}
	all := []any{}
	for _, id := range ids[min(offset, len(ids)):min(offset+limit, len(ids))] {
		all = append(all, as(id))
	}
	return all
}

// kept is a Roster in memory.
type kept struct {
	users   map[string]webhook.UserSaved
	members map[string]bool // player@group
	fail    func() error
	largest int
	batches int // of members
}

func (k *kept) TakeUsers(_ context.Context, users []webhook.UserSaved, _ string, dryRun bool) (news int, err error) {
	k.largest = max(k.largest, len(users))
	if k.fail != nil {
		if err := k.fail(); err != nil {
			return 0, err
		}
	}
	for _, u := range users {
		if k.users[u.Player] != u {
			news++
		}
		if !dryRun {
			k.users[u.Player] = u
		}
	}
	return news, nil
}

func (k *kept) TakeMembers(_ context.Context, members []webhook.MembershipSaved) error {
	k.largest = max(k.largest, len(members))
	k.batches++
	if k.fail != nil {
		if err := k.fail(); err != nil {
			return err
		}
	}
	for _, m := range members {
		k.members[m.Player+"@"+m.Group] = true
	}
	return nil
}

func ids(prefix string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("%s_%05d", prefix, i)
	}
	return all
}

func importKit(t *testing.T, c *instance) (*kept, clerk.Options) {
	t.Helper()
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	k := &kept{users: map[string]webhook.UserSaved{}, members: map[string]bool{}}
	return k, clerk.Options{URL: server.URL, Key: key, Roster: k, Sleep: func(context.Context, time.Duration) error { return nil }}
}

func TestAllUsersAndMembershipsAreTakenInByPages(t *testing.T) {
	c := &instance{users: ids("user", 1203), members: map[string][]string{"org_a": ids("user", 612), "org_b": {"user_00007"}}}
	k, o := importKit(t, c)
	report, err := clerk.Sync(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, clerk.Report{Total: 1203, Users: 1203, Changed: 1203, Memberships: 613, TotalMemberships: 613}, report)
	require.Len(t, k.users, 1203)
	require.Len(t, k.members, 613)
	require.LessOrEqual(t, k.largest, 500)
	require.Equal(t, webhook.UserSaved{
		Player: "user_00007", Name: "N user_00007", Picture: "https://img.clerk.com/user_00007", Country: "BR", Moment: time.UnixMilli(1700000000001).UTC(),
	}, k.users["user_00007"])
	require.Equal(t, 1+6+2, c.requests, "how many memberships, users with their count, memberships")

	o.DryRun = true
	k.users["user_00003"] = webhook.UserSaved{}
	clear(k.members)
	report, err = clerk.Sync(t.Context(), o)
	require.NoError(t, err)
	require.EqualValues(t, 1, report.Changed)
	require.Empty(t, k.members)
	require.Empty(t, k.users["user_00003"].Player, "a dry run changes nothing")
}

// Many small organizations cost no more than a few large ones.
func TestMembershipsOfAllOrganizationsAreReadTogether(t *testing.T) {
	c := &instance{users: ids("user", 1), members: map[string][]string{}}
	for _, group := range ids("org", 700) {
		c.members[group] = []string{"user_00000"}
	}
	k, o := importKit(t, c)
	report, err := clerk.Sync(t.Context(), o)
	require.NoError(t, err)
	require.EqualValues(t, 700, report.Memberships)
	require.Len(t, k.members, 700)
	require.Equal(t, 1+2+2, c.requests)
	require.Equal(t, 2, k.batches)
}

func TestRateLimitsAreWaitedFor(t *testing.T) {
	var waits []time.Duration
	c := &instance{users: ids("user", 3), before: func(request int, w http.ResponseWriter) bool {
		switch request {
		case 1, 2:
			w.Header().Set("Retry-After", strconv.Itoa(6+request))
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = w.Write([]byte(`{"errors":[{"message":"Too many requests","code":"too_many_requests"}]}`))
		case 4:
			w.WriteHeader(http.StatusBadGateway)
		default:
			return false
		}
		return true
	}}
	k, o := importKit(t, c)
	o.Sleep = func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil }
	_, err := clerk.Sync(t.Context(), o)
	require.NoError(t, err)
	require.Len(t, k.users, 3)
	require.Equal(t, []time.Duration{7 * time.Second, 8 * time.Second, time.Second}, waits)

	c.before = func(_ int, w http.ResponseWriter) bool {
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = w.Write([]byte(`{"errors":[{"message":"Too many requests","code":"too_many_requests"}]}`))
		return true
	}
	_, err = clerk.Sync(t.Context(), o)
	require.EqualError(t, err, "rejected by Clerk's rate limit 8 times in a row: continue later with --resume")
}

func TestAWrongKeyIsNamedAndNotShown(t *testing.T) {
	_, o := importKit(t, &instance{})
	o.Key = "sk_live_wrong"
	_, err := clerk.Sync(t.Context(), o)
	require.ErrorContains(t, err, "the key CLERK_SECRET_KEY was rejected by Clerk (401)")
	require.NotContains(t, err.Error(), o.Key)
	o.Key = ""
	_, err = clerk.Sync(t.Context(), o)
	require.ErrorContains(t, err, "CLERK_SECRET_KEY is empty")
	o.Key, o.URL = key, "http://clerk.example.com"
	_, err = clerk.Sync(t.Context(), o)
	require.ErrorContains(t, err, "use https")
	_, o = importKit(t, &instance{before: func(_ int, w http.ResponseWriter) bool {
		w.WriteHeader(http.StatusTeapot)
		_, _ = fmt.Fprint(w, "<html>", key, strings.Repeat("x", 5000))
		return true
	}})
	_, err = clerk.Sync(t.Context(), o)
	require.Error(t, err)
	require.NotContains(t, err.Error(), key)
	require.Less(t, len(err.Error()), 600)
}

func TestAnInstanceWithoutOrganizationsHasNone(t *testing.T) {
	_, o := importKit(t, &instance{users: ids("user", 1), off: true})
	report, err := clerk.Sync(t.Context(), o)
	require.NoError(t, err)
	require.True(t, report.NoOrganizations)
	require.EqualValues(t, 1, report.Users)
}

func TestWhatCannotBeAPlayerIsToldAndSkipped(t *testing.T) {
	k, o := importKit(t, &instance{users: []string{"user_a", "not a player"}, members: map[string][]string{"org!": {"user_a"}}})
	report, err := clerk.Sync(t.Context(), o)
	require.NoError(t, err)
	require.EqualValues(t, 2, report.UnusableCount)
	require.Equal(t, []string{"not a player", "orgmem_org!user_a"}, report.Unusable)
	require.Len(t, k.users, 1)
	require.Empty(t, k.members)
}

// Wherever a run is cut off, continuing from its last state takes in everybody who stays, even
// if others sign up or are deleted meanwhile.
func TestCutAndResumedRunsMissNobody(t *testing.T) {
	errCut := errors.New("cut")
	rapid.Check(t, func(r *rapid.T) {
		c := &instance{users: ids("user", rapid.IntRange(0, 2600).Draw(r, "users")), members: map[string][]string{"org_a": ids("user", rapid.IntRange(0, 700).Draw(r, "members"))}}
		stays := slices.Clone(c.users)
		k, o := importKit(t, c)
		var state clerk.State
		o.Saved = func(s clerk.State) error {
			data, err := json.Marshal(s)
			if err != nil {
				return err
			}
			state = clerk.State{}
			return json.Unmarshal(data, &state)
		}
		k.fail = func() error {
			if rapid.IntRange(0, 3).Draw(r, "fate") == 0 {
				return errCut
			}
			c.mu.Lock()
			defer c.mu.Unlock()
			for range min(len(c.users), cmp.Or(rapid.SampledFrom([]int{0, 1, 19, 20, 300}).Draw(r, "deleted"), 0)) {
				i := rapid.IntRange(0, len(c.users)-1).Draw(r, "who")
				stays = slices.DeleteFunc(stays, func(id string) bool { return id == c.users[i] })
				c.users = slices.Delete(c.users, i, i+1)
			}
			c.users = append(c.users, fmt.Sprintf("user_x%d", c.requests))
			return nil
		}
		for attempt := 0; ; attempt++ {
			require.Less(r, attempt, 200)
			o.From = state
			_, err := clerk.Sync(context.Background(), o)
			if err == nil {
				break
			}
			require.ErrorIs(r, err, errCut)
		}
		for _, id := range stays {
			require.Contains(r, k.users, id)
		}
		require.Len(r, k.members, len(c.members["org_a"]))
	})
}
