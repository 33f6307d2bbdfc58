-- Which evaluations are on their way, and for when, is known by the jobs' own keys.
drop table asked;
drop table aims;
