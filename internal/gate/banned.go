package gate

import "github.com/framedle/leaderboards/internal/notices"

// MayPlay refuses players who are banned: with their scores go their duels, what
// they ask of others and how they are shown. They may still read, leave, decline,
// block, and erase themselves.
func MayPlay(r *Request, bans Bans, players ...string) error {
	for _, player := range players {
		banned, err := bans.IsBanned(r.Context(), player)
		if err != nil {
			return err
		}
		if banned {
			return notices.ErrBanned
		}
	}
	return nil
}
