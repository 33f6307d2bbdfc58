/** Looks again and again for as long as `look` finds something to look at. Answers what to call when there is. */
export function sweeper(everyMs: number, look: () => boolean): () => void {
  let isSweeping = false
  const later = () => setTimeout(turn, everyMs).unref()
  const turn = () => {
    isSweeping = look()
    if (isSweeping) later()
  }
  return () => {
    if (isSweeping) return
    isSweeping = true
    later()
  }
}
