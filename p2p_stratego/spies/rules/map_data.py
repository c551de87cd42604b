"""The map as tables to read: whose cities, rails and airlines, seas and their ports; all house values."""

from __future__ import annotations

from typing import Final

CITIES: Final = """
germany | berlin hamburg konigsberg cologne munich leipzig breslau stuttgart
italy   | rome milan venice naples palermo / tripoli rhodes
russia  | moscow leningrad minsk kiev odessa kharkov stalingrad
france  | paris lille lyons marseilles bordeaux strasbourg / algiers beirut
britain | london birmingham liverpool edinburgh / gibraltar malta alexandria haifa
secret  | warsaw prague vienna madrid stockholm bucharest brussels athens
haven   | geneva istanbul tangiers
free    | lisbon barcelona amsterdam copenhagen oslo helsinki riga danzig budapest belgrade sofia tirana
"""
"""By power, its capital first; behind the slash without a police sign.  Of no power: the cities where a
neutral secret lies at the start, the havens of spies, and all others."""

RAIL: Final = """
birmingham london
birmingham liverpool
birmingham edinburgh
paris lille brussels amsterdam hamburg copenhagen stockholm oslo
brussels cologne hamburg berlin leipzig prague vienna budapest bucharest odessa kiev kharkov moscow
paris strasbourg stuttgart munich vienna venice milan geneva lyons paris
cologne stuttgart geneva
lyons marseilles barcelona madrid lisbon
paris bordeaux madrid gibraltar
milan rome naples palermo
munich leipzig
munich venice belgrade budapest
berlin breslau warsaw minsk moscow leningrad riga konigsberg danzig berlin
prague breslau
danzig warsaw kiev
leningrad helsinki
kharkov stalingrad moscow
bucharest sofia belgrade tirana athens sofia istanbul beirut haifa alexandria
algiers tangiers
"""
AIR: Final = """
london paris geneva
london amsterdam berlin moscow
paris prague warsaw moscow
rome tirana
rome tripoli
rome vienna
marseilles algiers
athens alexandria
london lisbon tangiers
helsinki stockholm amsterdam
istanbul bucharest
"""
"""Chains: each city is linked to the one before it and the one behind it."""

SEAS: Final = """
baltic   | copenhagen stockholm helsinki leningrad riga konigsberg danzig | north
north    | london edinburgh amsterdam hamburg copenhagen oslo | baltic atlantic
atlantic | liverpool london bordeaux lisbon tangiers gibraltar | north west
west     | gibraltar tangiers barcelona marseilles algiers naples palermo malta | atlantic east adriatic
adriatic | venice tirana | west east
east     | malta palermo tripoli rhodes athens istanbul alexandria haifa beirut | west adriatic black
black    | istanbul odessa | east
"""
"""A sea, its ports, and the seas next to it."""

DIE: Final = (2, 3, 3, 4, 4, 5)
"""The sides of the die of the sea."""
