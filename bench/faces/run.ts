/**
 * `node bench/faces/run.ts`: speed, and accuracy on the photos that a package ships; `--photos DIR` with a folder for each
 * person; `--lfw DIR PAIRS.txt`; `--identify 10000,100000` among so many synthetic faces. Photos stay where they are.
 */
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { labelledPhotos } from '../../services/face-recognition/src/testing/photos.ts'
import { byFolders, byLfw } from './accuracy.ts'
import { identification } from './identify.ts'
import { speed } from './speed.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { photos: { type: 'string' }, lfw: { type: 'string' }, identify: { type: 'string' } },
})

if (values.lfw !== undefined) await byLfw(values.lfw, positionals[0] ?? '')
else if (values.photos !== undefined) await byFolders(values.photos)
else if (values.identify !== undefined)
  for (const count of values.identify.split(',')) await identification(Number(count))
else {
  await speed()
  await byFolders(dirname(dirname(labelledPhotos[0]?.file ?? '')))
}
