package replay

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnAnswersRankIsBoundedByWhatWasSentAndAnswered(t *testing.T) {
	var counts tally
	require.EqualValues(t, 0, counts.send(2), "nobody is ahead of the first")
	require.EqualValues(t, 0, counts.send(0))
	require.EqualValues(t, 0, counts.send(2), "the better one is not answered yet")
	ahead, players := counts.answer(2)
	require.EqualValues(t, 2, ahead, "the better one and the equal one may both be ahead")
	require.EqualValues(t, 3, players)
	ahead, _ = counts.answer(0)
	require.EqualValues(t, 0, ahead)
	require.EqualValues(t, 1, counts.send(2), "the better one is, the equal ones of this step may not be")
	counts.answer(2)
	counts.answer(2)
	counts.closeStep()
	require.EqualValues(t, 4, counts.send(2), "all of the step before are ahead")
	require.EqualValues(t, 1, counts.send(1))
}
