package clerk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/clerk/clerk-sdk-go/v2"
	"github.com/clerk/clerk-sdk-go/v2/organizationmembership"
	"github.com/clerk/clerk-sdk-go/v2/user"

	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
	"github.com/framedle/leaderboards/internal/platform/wait"
)

// [Sync] reads the users and organization memberships of a Clerk instance. Apps that have users already need it: webhooks report changes
// only.
//
// It knows Clerk's Backend API, its pages and its rate limits, and how to continue after a run
// was cut off. It does not know Redis, nor how a profile or a group is kept.
//
// https://clerk.com/docs/reference/backend-api

// requestTime bounds one request to Clerk.
const requestTime = 30 * time.Second

// mostError bounds an error's text, in bytes.
const mostError = 500

// mostUnusable is how many ids of unusable items a report names.
const mostUnusable = 20

// Target takes in what was read.
type Target interface {
	TakeUsers(ctx context.Context, users []webhook.UserSaved, act string, dryRun bool) (news int, err error)
	TakeMembers(ctx context.Context, members []webhook.MembershipSaved) error
}

// Options say what to read, and from where on.
type Options struct {
	URL    string // of Clerk's Backend API; Clerk's own when empty
	Key    string // secret
	Roster Target
	DryRun bool  // read and compare, change nothing
	From   State // the zero value is the beginning
	// Saved is called with each State from which a later run can continue. If it returns an
	// error, the run ends. It may be nil.
	Saved func(State) error
	// Waiting is called before each wait for Clerk. It may be nil.
	Waiting func(why string, wait time.Duration)

	Transport http.RoundTripper                          // nil: http.DefaultTransport
	Sleep     func(context.Context, time.Duration) error // nil: a real wait
}

// State is how far a run has come, as JSON.
type State struct {
	Users       Mark   `json:"users"`
	Memberships Mark   `json:"memberships"`
	Report      Report `json:"report"`
}

// Report is what was done in all runs since the beginning.
type Report struct {
	Total            int64    `json:"total"` // users that Clerk has
	Users            int64    `json:"users"` // read
	Changed          int64    `json:"changed"`
	NoOrganizations  bool     `json:"no_organizations,omitempty"` // the instance has organizations turned off
	TotalMemberships int64    `json:"total_memberships"`          // that Clerk has
	Memberships      int64    `json:"memberships"`                // read
	Unusable         []string `json:"unusable,omitempty"`         // ids of what cannot be taken in, the first of them
	UnusableCount    int64    `json:"unusable_count"`
}

// run is one run.
type run struct {
	Options
	state       State
	users       *user.Client
	memberships clerk.Backend
}

// Sync reads all users and then all memberships, page by page. After an error a later run may
// continue from the last State that Saved got; reading something twice changes nothing. Errors
// never contain the key.
func Sync(ctx context.Context, o Options) (Report, error) {
	s, err := newRun(o)
	if err != nil {
		return Report{}, err
	}
	if err = s.countMemberships(ctx); err == nil {
		err = s.takeUsers(ctx)
	}
	if err == nil {
		err = s.takeMemberships(ctx)
	}
	return s.state.Report, s.plain(err)
}

func newRun(o Options) (*run, error) {
	if o.Key == "" {
		return nil, errors.New("CLERK_SECRET_KEY is empty: set it to the secret key of the instance (sk_…), from its dashboard under API keys")
	}
	if o.URL == "" {
		o.URL = clerk.APIURL
	}
	u, err := url.Parse(o.URL)
	if err != nil || u.Host == "" || u.Scheme != "https" && !(u.Scheme == "http" && u.Hostname() == "127.0.0.1") {
		return nil, fmt.Errorf("%.200q is not an address to send a secret key to: use https, as in %s", o.URL, clerk.APIURL)
	}
	if o.Transport == nil {
		o.Transport = http.DefaultTransport
	}
	if o.Sleep == nil {
		o.Sleep = wait.Sleep
	}
	if o.Waiting == nil {
		o.Waiting = func(string, time.Duration) {}
	}
	if o.Saved == nil {
		o.Saved = func(State) error { return nil }
	}
	config := clerk.BackendConfig{
		URL: &o.URL, Key: &o.Key,
		HTTPClient: &http.Client{
			Transport: patience{bounded{o.Transport}, o.Sleep, o.Waiting},
			// Another address must not get the key.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	return &run{
		Options: o, state: o.From,
		users: user.NewClient(&clerk.ClientConfig{BackendConfig: config}), memberships: clerk.NewBackend(&config),
	}, nil
}

// bounded limits the time of one attempt until the headers have come; after that the
// connection's own limits apply.
type bounded struct{ next http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	timer := time.AfterFunc(requestTime, func() { cancel(errors.New("no response from Clerk in time")) })
	defer timer.Stop()
	return b.next.RoundTrip(r.WithContext(ctx))
}

func listed(offset, most int64) clerk.ListParams {
	return clerk.ListParams{Limit: &most, Offset: &offset}
}

// oldestFirst is an order in which new items come last.
const oldestFirst = "+created_at"

func (s *run) takeUsers(ctx context.Context) error {
	page := func(offset int64) ([]*clerk.User, error) {
		list, err := s.users.List(ctx, &user.ListParams{ListParams: listed(offset, pageSize), OrderBy: clerk.String(oldestFirst)})
		if err != nil {
			return nil, fmt.Errorf("read users: %w", err)
		}
		s.state.Report.Total = list.TotalCount
		return list.Users, nil
	}
	return walk(s.state.Users, page, func(u *clerk.User) string { return u.ID }, func(read []*clerk.User, next Mark) error {
		users := usable(s, read, func(u *clerk.User) string { return u.ID }, webhook.ParseUser)
		news, err := s.Roster.TakeUsers(ctx, users, "sync", s.DryRun)
		if err != nil {
			return err
		}
		s.state.Report.Users += int64(len(read))
		s.state.Report.Changed += int64(news)
		s.state.Users = next
		return s.Saved(s.state)
	})
}

// errorOrganizationsOff is Clerk's code for an instance without organizations.
const errorOrganizationsOff = "organization_not_enabled"

// instanceMemberships lists the memberships of all organizations: asking each organization
// would take one request for each.
// https://clerk.com/docs/reference/backend/organization/get-instance-organization-membership-list
const instanceMemberships = "/organization_memberships"

// members reads a page of at most so many memberships. The SDK only lists the memberships of
// one organization, so members sends the request itself.
func (s *run) members(ctx context.Context, offset, most int64) (*clerk.OrganizationMembershipList, error) {
	r := clerk.NewAPIRequest(http.MethodGet, instanceMemberships)
	r.SetParams(&organizationmembership.ListParams{ListParams: listed(offset, most), OrderBy: clerk.String(oldestFirst)})
	list := &clerk.OrganizationMembershipList{}
	if err := s.memberships.Call(ctx, r, list); err != nil {
		return nil, fmt.Errorf("read memberships: %w", err)
	}
	return list, nil
}

// countMemberships reads how many memberships there are, so that progress can be shown as a
// part of the whole.
func (s *run) countMemberships(ctx context.Context) error {
	list, err := s.members(ctx, 0, 1)
	var refused *clerk.APIErrorResponse
	s.state.Report.NoOrganizations = errors.As(err, &refused) && strings.Contains(refused.Error(), errorOrganizationsOff)
	switch {
	case s.state.Report.NoOrganizations:
		return nil
	case err != nil:
		return err
	}
	s.state.Report.TotalMemberships = list.TotalCount
	return nil
}

func (s *run) takeMemberships(ctx context.Context) error {
	if s.state.Report.NoOrganizations {
		return nil
	}
	page := func(offset int64) ([]*clerk.OrganizationMembership, error) {
		list, err := s.members(ctx, offset, pageSize)
		if err != nil {
			return nil, err
		}
		s.state.Report.TotalMemberships = list.TotalCount
		return list.OrganizationMemberships, nil
	}
	id := func(m *clerk.OrganizationMembership) string { return m.ID }
	return walk(s.state.Memberships, page, id, func(read []*clerk.OrganizationMembership, next Mark) error {
		members := usable(s, read, id, webhook.ParseMembership)
		if !s.DryRun {
			if err := s.Roster.TakeMembers(ctx, members); err != nil {
				return err
			}
		}
		s.state.Report.Memberships += int64(len(read))
		s.state.Memberships = next
		return s.Saved(s.state)
	})
}

// usable parses items of Clerk's API in the way that webhooks are parsed, and notes the ids of
// those that it cannot parse.
func usable[T, E any](s *run, items []T, id func(T) string, parse func([]byte) (E, error)) []E {
	all := make([]E, 0, len(items))
	for _, item := range items {
		var event E
		data, err := json.Marshal(item)
		if err == nil {
			event, err = parse(data)
		}
		if err == nil {
			all = append(all, event)
			continue
		}
		s.state.Report.UnusableCount++
		if len(s.state.Report.Unusable) < mostUnusable {
			s.state.Report.Unusable = append(s.state.Report.Unusable, id(item))
		}
	}
	return all
}

// plain explains Clerk's refusals, and removes the key from errors.
func (s *run) plain(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	var refused *clerk.APIErrorResponse
	if errors.As(err, &refused) {
		switch refused.HTTPStatusCode {
		case http.StatusUnauthorized, http.StatusForbidden:
			return fmt.Errorf("the key CLERK_SECRET_KEY was rejected by Clerk (%d): use the secret key (sk_…) of the instance that CLERK_ISSUER names", refused.HTTPStatusCode)
		case http.StatusTooManyRequests:
			return fmt.Errorf("rejected by Clerk's rate limit %d times in a row: continue later with --resume", attempts)
		}
	}
	// If the answer is not Clerk's, but a proxy's page, say, the error contains all of it.
	if text := err.Error(); len(text) > mostError || strings.Contains(text, s.Key) {
		return fmt.Errorf("%.*s", mostError, strings.ReplaceAll(text, s.Key, "…"))
	}
	return err
}
