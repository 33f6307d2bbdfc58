import { expect, test } from 'vitest'
import { alliancePoints, placePoints, pointsForAward, qualificationPoints, winPoints } from './formula.ts'
import { multipliers, rulesOf } from './rules.ts'

test('qualification points of an event with 40 teams match the published table', () => {
  const published = { 1: 22, 2: 21, 3: 20, 4: 19, 21: 12, 37: 6, 38: 6, 39: 5, 40: 4 }
  const ours = Object.fromEntries(Object.keys(published).map((rank) => [rank, qualificationPoints(Number(rank), 40)]))
  expect(ours).toEqual(published)
})

test('at events of any size the first gets 22, the last 3 to 6, and points never increase with rank', () => {
  for (let teams = 12; teams <= 120; teams++) {
    const all = Array.from({ length: teams }, (_, index) => qualificationPoints(index + 1, teams))
    expect(all[0]).toBe(22)
    expect(all.at(-1)).toBeOneOf([3, 4, 5, 6])
    expect(all).toEqual(all.toSorted((a, b) => b - a))
  }
})

test('alliance selection gives captains and first picks 17 less their number, second picks their number', () => {
  const row = (alliance: number) =>
    (['Captain', 'Round1', 'Round2', 'Round3', 'Backup'] as const).map((role) => alliancePoints(alliance, role, 8))
  expect([1, 2, 8].map(row)).toEqual([
    [16, 16, 1, 0, 0],
    [15, 15, 2, 0, 0],
    [9, 9, 8, 0, 0],
  ])
  // Sixteen alliances at a district championship, where points are tripled.
  const of16 = [1, 2, 3, 16].map((alliance) => [
    alliancePoints(alliance, 'Captain', 16, 3),
    alliancePoints(alliance, 'Round2', 16, 3),
  ])
  expect(of16).toEqual([
    [48, 1],
    [46, 3],
    [45, 4],
    [25, 24],
  ])
})

test('playoffs give five points for each win of a won series, from 2023 on points by place', () => {
  expect([0, 1, 2, 6].map((wins) => winPoints(wins))).toEqual([0, 5, 10, 30])
  expect([1, 2, 3, 4, 5].map((place) => placePoints(place, 8))).toEqual([30, 20, 13, 7, 0])
  expect([1, 2, 3].map((place) => placePoints(place, 4, 3))).toEqual([60, 30, 0])
  expect([1, 2].map((place) => placePoints(place, 2, 3))).toEqual([30, 0])
})

test('award points depend on the name of the award', () => {
  const names = {
    'Regional FIRST Impact Award': 10,
    "District Chairman's Award": 10,
    'District Engineering Inspiration Award': 8,
    'Rookie All Star Award': 8,
    'Quality Award sponsored by a company': 5,
    "Judges' Award": 5,
    'District Event Winner': 0,
    'District Event Finalist': 0,
    "FIRST Dean's List Semi-Finalist Award": 0,
    'Woodie Flowers Finalist Award': 0,
    'Volunteer of the Year': 0,
    'Highest Rookie Seed': 0,
    Wildcard: 0,
  }
  expect(Object.fromEntries(Object.keys(names).map((name) => [name, pointsForAward(name)]))).toEqual(names)
})

test('playoffs are averages in 2015, series until 2022, then a double elimination', () => {
  const seasons = Array.from({ length: 12 }, (_, index) => 2015 + index)
  expect(Object.fromEntries(seasons.map((season) => [season, rulesOf(season).playoffs]))).toEqual({
    2015: 'averages',
    ...Object.fromEntries([2016, 2017, 2018, 2019, 2020, 2021, 2022].map((season) => [season, 'series'])),
    ...Object.fromEntries([2023, 2024, 2025, 2026].map((season) => [season, 'doubleElimination'])),
  })
  expect(multipliers).toMatchObject({ Regional: 1, DistrictEvent: 1, DistrictChampionship: 3 })
})
