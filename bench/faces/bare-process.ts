/** The networks alone: analyses one photo repeatedly for a given time, and reports the count. */
import { readFile } from 'node:fs/promises'
import { openAnalysis } from '../../services/face-recognition/src/engine/analysis.ts'

const [models = '', path = ''] = process.argv.slice(2)
const image = await readFile(path)
const analyse = await openAnalysis(models)
const question = { image, small: false, descriptors: true, landmarks: false, attributes: false, most: 100 }
await analyse(question)

process.on('message', async (ms: number) => {
  const until = performance.now() + ms
  let photos = 0
  for (; performance.now() < until; photos++) await analyse(question)
  process.send?.(photos)
})
process.once('disconnect', () => process.exit())
process.send?.('ready')
