/** Browser script: sends a photo to `detect`, draws the result, and compares the two largest faces. */
export const script = `
const headerName = document.querySelector('main').dataset.header
const faceIds = {}
async function call(path, type, body) {
  const headers = { [headerName]: document.querySelector('#key').value, 'content-type': type }
  const response = await fetch(path, { method: 'POST', headers, body })
  const result = await response.json()
  if (!response.ok) throw new Error(result.error.message)
  return result
}
function draw(canvas, bitmap, faces) {
  canvas.width = bitmap.width
  canvas.height = bitmap.height
  const pen = canvas.getContext('2d')
  pen.drawImage(bitmap, 0, 0)
  pen.lineWidth = Math.max(2, bitmap.width / 300)
  pen.strokeStyle = '#00dc5a'
  pen.fillStyle = '#ffc800'
  for (const { faceRectangle: box, faceLandmarks } of faces) {
    pen.strokeRect(box.left, box.top, box.width, box.height)
    for (const { x, y } of Object.values(faceLandmarks)) pen.fillRect(x - pen.lineWidth / 2, y - pen.lineWidth / 2, pen.lineWidth, pen.lineWidth)
  }
}
async function look(figure) {
  const [file] = figure.querySelector('input').files
  const status = figure.querySelector('output')
  if (!file) return
  status.value = 'Detecting ...'
  try {
    const faces = await call('detect?returnFaceLandmarks=true&faceIdTimeToLive=600&detectionModel=detection_02', 'application/octet-stream', file)
    draw(figure.querySelector('canvas'), await createImageBitmap(file), faces)
    status.value = faces.length === 1 ? 'One face.' : faces.length + ' faces.'
    faceIds[figure.id] = faces[0]?.faceId
    if (faceIds.one && faceIds.two) {
      const { isIdentical, confidence } = await call('verify', 'application/json', JSON.stringify({ faceId1: faceIds.one, faceId2: faceIds.two }))
      document.querySelector('#verdict').value = (isIdentical ? 'Likely the same person' : 'Likely two persons') + ': ' + confidence.toFixed(2)
    }
  } catch (error) {
    status.value = error.message
  }
}
for (const figure of document.querySelectorAll('figure')) figure.addEventListener('change', () => look(figure))
`
