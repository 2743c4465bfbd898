package sqltx_test

import (
	"testing"

	"strongroom/internal/store/storetest"
)

func TestEveryStatementIsAConstant(t *testing.T) { storetest.WantConstants(t) }
