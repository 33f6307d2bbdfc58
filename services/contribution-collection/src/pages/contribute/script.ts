/** Uploads files immediately, with progress, and moves the map without reloading. The form works without it. */
export const script = `
const form = document.forms[0]
const chooser = form.elements.file
const list = form.querySelector('.files')
const button = document.getElementById('send')
const map = document.getElementById('map')
const base = location.pathname.replace(/\\/$/, '')
document.body.classList.add('scripted')
let sending = 0
const busy = (change) => { sending += change; button.disabled = sending > 0 }

function upload(file) {
  const item = document.createElement('li')
  const text = document.createElement('span')
  const bar = document.createElement('progress')
  bar.max = 1
  bar.value = 0
  bar.setAttribute('aria-label', file.name)
  text.textContent = file.name + ': sending'
  item.append(text, bar)
  list.append(item)
  busy(1)
  const request = new XMLHttpRequest()
  request.upload.onprogress = ({ loaded, total }) => { bar.value = loaded / total }
  request.onloadend = () => {
    busy(-1)
    bar.remove()
    let reply = {}
    try { reply = JSON.parse(request.responseText) } catch {}
    if (request.status !== 200) {
      text.textContent = file.name + ': ' + (reply.message ?? 'upload failed. Please choose it again.')
      item.classList.add('problem')
      return
    }
    text.textContent = file.name + ': received'
    const field = document.createElement('input')
    field.type = 'hidden'
    field.name = 'media'
    field.value = reply.id
    item.append(field)
  }
  request.open('POST', base + '/files')
  request.setRequestHeader('x-form', form.elements.form.value)
  request.setRequestHeader('content-type', 'application/octet-stream')
  request.send(file)
}
chooser.addEventListener('change', () => {
  for (const file of chooser.files) upload(file)
  chooser.value = ''
})

const number = (name) => Number(form.elements[name].value)
function show(latitude, longitude, zoom, mark) {
  form.elements.mapLat.value = latitude
  form.elements.mapLng.value = longitude
  form.elements.mapZoom.value = zoom
  const query = new URLSearchParams({ lat: latitude, lng: longitude, zoom })
  if (mark) query.set('mark', form.elements.latitude.value + ',' + form.elements.longitude.value)
  map.src = base + '/map.svg?' + query
}
const within = (value, low, high) => Math.min(Math.max(value, low), high)
map.addEventListener('click', (event) => {
  event.preventDefault()
  const box = map.getBoundingClientRect()
  const zoom = number('mapZoom')
  const [width, height] = [360 / zoom, 180 / zoom]
  const x = within(number('mapLng') + 180 - width / 2, 0, 360 - width)
  const y = within(90 - number('mapLat') - height / 2, 0, 180 - height)
  const longitude = (x + ((event.clientX - box.left) / box.width) * width - 180).toFixed(4)
  const latitude = (90 - y - ((event.clientY - box.top) / box.height) * height).toFixed(4)
  form.elements.latitude.value = latitude
  form.elements.longitude.value = longitude
  show(latitude, longitude, Math.min(64, zoom * 4), true)
})
form.querySelector('[name=map][value=world]').addEventListener('click', (event) => {
  event.preventDefault()
  form.elements.latitude.value = form.elements.longitude.value = ''
  show(0, 0, 1, false)
})
for (const name of ['latitude', 'longitude'])
  form.elements[name].addEventListener('change', () => {
    const [latitude, longitude] = [number('latitude'), number('longitude')]
    if (form.elements.latitude.value && form.elements.longitude.value && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)
      show(latitude, longitude, 16, true)
  })
if (navigator.geolocation) {
  const locate = document.createElement('button')
  locate.type = 'button'
  locate.className = 'secondary'
  locate.textContent = 'Use my location'
  locate.addEventListener('click', () => navigator.geolocation.getCurrentPosition(({ coords }) => {
    form.elements.latitude.value = coords.latitude.toFixed(4)
    form.elements.longitude.value = coords.longitude.toFixed(4)
    show(coords.latitude, coords.longitude, 16, true)
  }))
  document.getElementById('place').append(locate)
}
`
