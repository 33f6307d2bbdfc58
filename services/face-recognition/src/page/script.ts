/** What the page does in the browser: sends a photo to `detect`, draws the answer, and compares two largest faces. */
export const script = `
const headerName = document.querySelector('main').dataset.header
const faceIds = {}
async function call(path, type, body) {
  const headers = { [headerName]: document.querySelector('#key').value, 'content-type': type }
  const response = await fetch(path, { method: 'POST', headers, body })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error.message)
  return answer
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
  const said = figure.querySelector('output')
  if (!file) return
  said.value = 'Looking ...'
  try {
    const faces = await call('detect?returnFaceLandmarks=true&faceIdTimeToLive=600&detectionModel=detection_02', 'application/octet-stream', file)
    draw(figure.querySelector('canvas'), await createImageBitmap(file), faces)
    said.value = faces.length === 1 ? 'One face.' : faces.length + ' faces.'
    faceIds[figure.id] = faces[0]?.faceId
    if (faceIds.one && faceIds.two) {
      const { isIdentical, confidence } = await call('verify', 'application/json', JSON.stringify({ faceId1: faceIds.one, faceId2: faceIds.two }))
      document.querySelector('#verdict').value = (isIdentical ? 'Likely the same person' : 'Likely two persons') + ': ' + confidence.toFixed(2)
    }
  } catch (error) {
    said.value = error.message
  }
}
for (const figure of document.querySelectorAll('figure')) figure.addEventListener('change', () => look(figure))
`
