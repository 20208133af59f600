"""Sentences about the events of companies and shares."""

from __future__ import annotations

from collections.abc import Mapping

from services.rules.kernel.sentences import Template, detail

SENTENCES: Mapping[str, Template] = {
    "CompanyAdded": detail("{company} is in this game"),
    "SharesDivided": Template("{company} is divided into {shares} shares"),
    "CompanyBought": Template("{owner} buys {company} for {price}"),
    "CompanyOpened": Template("{company} opens"),
    "CompanyOperated": detail("{company} has operated"),
    "DirectorChanged": Template("The director of {company} is now {director}"),
    "ParSet": Template("The first price of a share of {company} is {price}"),
    "CompanyClosed": Template("{company} closes[; {successor} takes over what it has]"),
    "CompanyReset": Template("{company} can be opened anew[; {successor} takes over what it had]"),
    "SharesBought": Template("{player} buys {count} of {company}"),
    "SharesSold": Template("{player} sells shares of {company}"),
}
