package playerdata

// callModes puts the present names of modes into a document. Rows contain the name that a mode
// began with, but players know the mode by its name of today.

func (d *reading) callModes() {
	call := func(mode *string) { *mode = d.s.Game.Called(*mode) }
	for i := range d.Results {
		call(&d.Results[i].Mode)
	}
	for i := range d.Submissions {
		call(&d.Submissions[i].Mode)
	}
	for i := range d.Achievements {
		call(&d.Achievements[i].Mode)
	}
	d.s.callModes(d.Acts)
}

func (s *Service) callModes(acts []Act) {
	for i := range acts {
		acts[i].Mode = s.Game.Called(acts[i].Mode)
	}
}
