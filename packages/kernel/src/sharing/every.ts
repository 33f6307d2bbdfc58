/** Runs `work` at an interval, never concurrently with itself. Returns the function that stops it; keeps no process alive. */
export function every(ms: number, work: () => unknown, onError: (error: unknown) => void): () => void {
  let isBusy = false
  const timer = setInterval(async () => {
    if (isBusy) return
    isBusy = true
    try {
      await work()
    } catch (error) {
      onError(error)
    } finally {
      isBusy = false
    }
  }, ms).unref()
  return () => clearInterval(timer)
}
