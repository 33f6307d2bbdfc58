/** Polls while `look` returns true. Returns the function that starts it. */
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
