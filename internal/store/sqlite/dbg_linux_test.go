package sqlite
import ("testing";"os";"context";"fmt";"path/filepath";"strongroom/internal/store")
func TestDbg(t *testing.T) {
	dir, _ := os.MkdirTemp("", "rights")
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "strongroom.db")
	s := migrated(t, path)
	put(t, s, "name", nil)
	s.Close()
	os.Chmod(dir, 0o777); os.Chmod(path, 0o444)
	asNobody(t, func() {
		_, err := os.OpenFile(path, os.O_RDWR, 0)
		fmt.Println("rw:", err)
		s, err := Open(context.Background(), Config{Path: path})
		fmt.Println(err)
		if err == nil { fmt.Println(s.Update(context.Background(), nil2)); s.Close() }
		out, _ := os.ReadDir(dir)
		for _, e := range out { i, _ := e.Info(); fmt.Println(e.Name(), i.Mode()) }
	})
}
func nil2(tx store.Tx) error { return tx.PutSetting("x", []byte("1")) }
