/** A page without content: its script replies to the frames of clients. */
export function framePage(): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Session</title>
<script type="module" src="../assets/session.js"></script>
</html>
`
}
