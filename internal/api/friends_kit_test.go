package api_test

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/archive"
	"github.com/framedle/leaderboards/internal/archive/archivetest"
	"github.com/framedle/leaderboards/internal/dev/testkit"
	"github.com/framedle/leaderboards/internal/feature/friend"
	"github.com/framedle/leaderboards/internal/platform/auth/webhook"
	"github.com/framedle/leaderboards/internal/product/app"
	"github.com/framedle/leaderboards/internal/product/jobs"
)

const webhookSecret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"

// befriend gives the stack a database for friends.
func (s *stack) befriend() {
	s.database = archivetest.Database(s)
	s.handler = s.process()
}

// kept is the archive of the stack's database; nil without one.
func (s *stack) kept() *archive.Archive {
	if s.database == "" {
		return nil
	}
	return testkit.Archive(s, s.database, jobs.Tables()...)
}

// befriending is who is whose friend; nil without an archive.
func befriending(a *app.App, kept *archive.Archive) friend.Friendships {
	if f := jobs.Friends(a, kept); f != nil {
		return f
	}
	return nil
}

func (s *stack) webhooks() *webhook.Verifier {
	v, err := webhook.NewVerifier([]string{webhookSecret}, s.clock.Now)
	require.NoError(s, err)
	return v
}

// inDatabase runs a statement in the stack's database.
func (s *stack) inDatabase(statement string, args ...any) {
	conn, err := pgx.Connect(s.Context(), s.database)
	require.NoError(s, err)
	defer func() { require.NoError(s, conn.Close(context.Background())) }()
	_, err = conn.Exec(s.Context(), statement, args...)
	require.NoError(s, err)
}

// told is a message of Clerk with a good signature.
func (s *stack) told(id, body string) call { return s.toldAt(id, body, s.clock.Now()) }

func (s *stack) toldAt(id, body string, at time.Time) call {
	h, err := webhook.Sign(webhookSecret, id, at, []byte(body))
	require.NoError(s, err)
	return post(clerkPath, body).with("svix-id", h.ID).with("svix-timestamp", h.Timestamp).with("svix-signature", h.Signature)
}

type inviteBody struct {
	Code      string
	ExpiresAt string `json:"expires_at"`
	Uses      int
}

const (
	clerkPath    = "/v1/webhooks/clerk"
	friendsPath  = "/v1/friends"
	requestsPath = friendsPath + "/requests"
	blocksPath   = friendsPath + "/blocks"
	invitesPath  = friendsPath + "/invites"
	friendsBoard = daily + "/friends"
)
