import { expect, test } from 'vitest'
import { loadingProblem, onnxruntime, onnxruntimeVersion } from './needs.ts'

test('networks that cannot be loaded are reported with the line that installs what is missing, or with the reason', () => {
  const error = new Error("Cannot find package 'onnxruntime-node'")
  expect(loadingProblem(error, undefined)).toContain(onnxruntime.remedy)
  expect(loadingProblem(new Error('no such file'), onnxruntimeVersion())).toMatch(/could not be loaded: no such file$/)
})
