package api

import "github.com/framedle/leaderboards/internal/notices"

// mayPlay refuses players who are banned: with their scores go their duels, what
// they ask of others and how they are shown. They may still read, leave, decline,
// block, and erase themselves.
func (a *API) mayPlay(r *request, players ...string) error {
	for _, player := range players {
		banned, err := a.Store.Notices.IsBanned(r.Context(), player)
		if err != nil {
			return err
		}
		if banned {
			return notices.ErrBanned
		}
	}
	return nil
}
