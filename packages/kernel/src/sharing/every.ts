/** Does `work` again and again, never beside itself, until what it answers is called. Keeps no process alive. */
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
