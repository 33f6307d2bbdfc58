import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describeNet } from './describe-net.ts'
import { bytesOf } from './protobuf.ts'
import { anchorsOf, smallFacesNet } from './small-faces-net.ts'
import { readWeights } from './tfjs.ts'
import { fromTflite } from './tflite.ts'

const require = createRequire(import.meta.url)
const folderOf = (name: string) => dirname(require.resolve(`${name}/package.json`))
const faceApi = () => join(folderOf('@vladmandic/face-api'), 'model')

/** Converters by file name, from npm packages with the weights. */
const models = {
  'find.onnx': () =>
    fromTflite(readFileSync(join(folderOf('@mediapipe/face_detection'), 'face_detection_full_range.tflite')), {
      name: 'find',
      image: { mean: 127.5, by: 1 / 127.5 },
      outputs: ['boxes', 'scores'],
      isOfAnySize: true,
    }),
  'mesh.onnx': () =>
    fromTflite(meshFile(), { name: 'mesh', image: { mean: 0, by: 1 / 255 }, outputs: ['points', 'presence'] }),
  'describe.onnx': () => describeNet(readWeights(faceApi(), 'face_recognition_model')),
  'small.onnx': () => smallFacesNet(readWeights(faceApi(), 'ssd_mobilenetv1_model')),
  'small.anchors': () => bytesOf(anchorsOf(readWeights(faceApi(), 'ssd_mobilenetv1_model'))),
} as const

export type ModelName = keyof typeof models

/** Raise it when the conversion changes. */
const version = 2

/** Converts a model once per folder, in less than a second. */
export function modelFile(folder: string, name: ModelName): string {
  const file = join(folder, `v${version}`, name)
  if (existsSync(file)) return file
  mkdirSync(dirname(file), { recursive: true })
  const temporary = `${file}.${randomUUID()}`
  writeFileSync(temporary, models[name]())
  renameSync(temporary, file) // concurrent processes write the same bytes
  return file
}

/** Extracts the mesh from a packed file, at the offset in its loader. */
function meshFile(): Buffer {
  const folder = folderOf('@mediapipe/face_mesh')
  const loader = readFileSync(join(folder, 'face_mesh_solution_packed_assets_loader.js'), 'utf8')
  const [, start, end] = /face_landmark\.tflite", "start": (\d+), "end": (\d+)/.exec(loader) ?? []
  if (start === undefined) throw new Error('@mediapipe/face_mesh has no face_landmark.tflite')
  const assets = readFileSync(join(folder, 'face_mesh_solution_packed_assets.data'))
  return Buffer.from(assets.subarray(Number(start), Number(end)))
}
