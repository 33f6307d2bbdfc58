/** liblouis alone, called from Node in a loop for some seconds. Reports calls per second. */
import { liblouisAlone, paragraph } from '../../services/braille-translation/src/testing/liblouis-alone.ts'

const translate = liblouisAlone(paragraph)
translate() // loads the table
process.on('message', (seconds: number) => {
  const end = performance.now() + seconds * 1000
  let times = 0
  for (; performance.now() < end; times++) translate()
  process.send?.(times / seconds)
})
process.send?.('ready')
process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
