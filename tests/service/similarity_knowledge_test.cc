#include <fmt/format.h>

#include "engine_fixture.h"
#include "reissue/binding/state_bytes.h"
#include "reissue/models/similarity/service/knowledge.h"

namespace reissue::models::similarity::service {
namespace {

namespace sim = models::similarity;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SimilarityKnowledgeTest : public EngineTest {
 protected:
  // Age is a number, sex has a taxonomy, town is plain.
  io::Policy Policy(const std::string& knowledge, const std::string& more = "") {
    Write("sex.csv", "f;*\nm;*\n");
    const std::string path =
        Write("policy.toml",
              "[columns]\nid = { role = \"identifier\" }\n"
              "age = { role = \"quasi\", type = \"numeric\"" +
                  more +
                  " }\nsex = { role = \"quasi\", taxonomy = \"sex.csv\" }\n"
                  "town = { role = \"quasi\" }\nillness = { role = \"sensitive\" }\n"
                  "[guarantee]\nmodel = \"j-similarity\"\nk = 2\nj = 0.5\nbeta = 5\n[knowledge]\n" +
                  knowledge);
    return io::ReadPolicy(io::SystemFiles(), path).value();
  }
  binding::Context& context() { return context_; }

  Result<Background> Know(const io::Policy& policy) {
    const auto promise = engine::Bind(policy);
    if (!promise) return promise.error();
    return Background::Read(policy, promise->promise->As<Promise>(), context_);
  }
  // The error of a policy with this prior, transition and compromised file.
  std::string Fault(const std::string& prior, const std::string& transition = "",
                    const std::string& compromised = "", const std::string& more = "") {
    std::string knowledge = more;
    if (!prior.empty()) {
      Write("prior.csv", prior);
      knowledge += "prior = \"prior.csv\"\n";
    }
    if (!transition.empty()) {
      Write("next.csv", transition);
      knowledge += "transition = \"next.csv\"\n";
    }
    if (!compromised.empty()) {
      Write("known.csv", compromised);
      knowledge += "compromised = \"known.csv\"\n";
    }
    const auto background = Know(Policy(knowledge));
    return background ? "fine" : Short(background.error());
  }
  // Without the directory.
  std::string Short(const Error& error) const {
    std::string text = error.ToString();
    const std::string directory = directory_.string() + "/";
    for (std::size_t at = text.find(directory); at != std::string::npos;
         at = text.find(directory)) {
      text.erase(at, directory.size());
    }
    return text;
  }

  binding::GroupedTable Load(const io::Policy& policy, const std::string& rows,
                             const std::string& name = "t.csv") {
    return binding::LoadGrouped(policy, Write(name, "id,age,sex,town,illness\n" + rows), context_)
        .value();
  }
  Result<Background::CodedRows> Take(Background& background, const binding::GroupedTable& table) {
    const auto person = people_.Of(table);
    return background.Take(table, person);
  }

  PersonNumbers people_;
};

constexpr char kPriorHeader[] = "age,sex,town,illness,probability\n";

TEST_F(SimilarityKnowledgeTest, NothingIsKnownWhereNothingIsSaid) {
  const io::Policy policy = Policy("");
  Background background = Know(policy).value();
  const binding::GroupedTable first = Load(policy, "a,20,f,X,flu\nb,30,m,Y,cold\nc,40,f,X,flu\n");
  const Background::CodedRows taken = Take(background, first).value();
  EXPECT_THAT(taken.value, ElementsAre(0, 1, 0));
  EXPECT_THAT(taken.kind, ElementsAre(0, 0, 0));
  EXPECT_THAT(background.knowledge().prior, ElementsAre(sim::Distribution{0.5, 0.5}));
  EXPECT_TRUE(background.knowledge().transition.after.empty());
  const binding::GroupedTable second = Load(policy, "d,20,f,X,gout\nb,30,m,Y,cold\n", "t2.csv");
  EXPECT_THAT(Take(background, second).value().value, ElementsAre(2, 1));
  EXPECT_EQ(background.knowledge().prior[0], sim::Distribution(3, 1.0 / 3));
  EXPECT_TRUE(sim::Validate(background.knowledge()));
  EXPECT_THAT(background.values(),
              ElementsAre(binding::ValueTexts{"flu"}, binding::ValueTexts{"cold"},
                          binding::ValueTexts{"gout"}));
}

TEST_F(SimilarityKnowledgeTest, TheMostSpecificKindCounts) {
  Write("prior.csv", std::string(kPriorHeader) +
                         "*,*,*,flu,0.5\n*,*,*,cold,0.5\n"                      // 0
                         "\"[20,30)\",*,*,flu,0.1\n\"[20,30)\",*,*,cold,0.9\n"  // 1
                         "*,f,*,flu,0.2\n*,f,*,cold,0.8\n"                      // 2
                         "\"[20,30)\",f,X,flu,0.3\n\"[20,30)\",f,X,cold,0.7\n"  // 3
                         "25,f,*,flu,1\n25,f,*,cold,0\n"                        // 4
                         "\"[0,100)\",*,Y,flu,0.6\n\"[0,100)\",*,Y,cold,0.4\n"  // 5
                         "\"[60,inf)\",*,*,cold,1\n");                          // 6
  const io::Policy policy = Policy("prior = \"prior.csv\"\n");
  Background background = Know(policy).value();
  const binding::GroupedTable table =
      Load(policy,
           "a,50,m,Z,flu\n"     // 0: nothing else fits
           "b,20,m,Z,flu\n"     // 1
           "c,50,f,Z,flu\n"     // 2
           "d,29.5,f,X,flu\n"   // 3
           "e,25.0,f,X,flu\n"   // 4: a number is narrower than a range
           "f,30,m,Y,flu\n"     // 5: up to 30 is without 30
           "g,61,m,Z,cold\n");  // 6
  EXPECT_THAT(Take(background, table).value().kind, ElementsAre(0, 1, 2, 3, 4, 5, 6));
  EXPECT_THAT(background.knowledge().prior[3], ElementsAre(0.3, 0.7));
  EXPECT_THAT(background.knowledge().prior[6], ElementsAre(0, 1));
}

TEST_F(SimilarityKnowledgeTest, ARangeWithoutBoundCoversAsMuchAgain) {
  Write("prior.csv",
        "age,illness,probability\n\"[0,100)\",flu,1\n\"[60,inf)\",flu,1\n"  // of 300: 100, 140
        "\"[90,inf)\",flu,1\n\"[-inf,0)\",flu,1\n");
  const io::Policy policy = Policy("prior = \"prior.csv\"\n");
  Background background = Know(policy).value();
  const binding::GroupedTable table =
      Load(policy, "a,70,m,Z,flu\nb,100,m,Z,flu\nc,-0.5,m,Z,flu\nd,99,m,Z,flu\n");
  EXPECT_THAT(Take(background, table).value().kind, ElementsAre(0, 2, 3, 0));
}

TEST_F(SimilarityKnowledgeTest, LinesOfAKindNeedNotStandTogetherAndColumnsMayBeLeftOut) {
  Write("prior.csv", "illness;probability;sex\nflu;0.25;f\nflu;0.5;m\ncold;0.75;f\ncold;0.5;m\n");
  const io::Policy policy = Policy("prior = \"prior.csv\"\n");
  Background background = Know(policy).value();
  const binding::GroupedTable table = Load(policy, "a,50,m,Z,flu\nb,20,f,Z,cold\n");
  const Background::CodedRows taken = Take(background, table).value();
  EXPECT_THAT(background.knowledge().prior[taken.kind[0]], ElementsAre(0.5, 0.5));
  EXPECT_THAT(background.knowledge().prior[taken.kind[1]], ElementsAre(0.25, 0.75));
}

TEST_F(SimilarityKnowledgeTest, SaysWhatIsWrongWithAPrior) {
  const std::string head = kPriorHeader;
  EXPECT_EQ(Fault(head + "*,*,*,flu,0.5\n*,*,*,cold,0.4\n"),
            "prior.csv:2: the probabilities of these people sum to 0.9 instead of 1\n"
            "  Correct them (this is their first line), or write normalise = true into [knowledge] "
            "to have them scaled.");
  EXPECT_EQ(Fault(head + "*,*,*,flu,0.5\n*,*,*,cold,0.4\n", "", "", "normalise = true\n"), "fine");
  EXPECT_EQ(Fault(head + "*,*,*,flu,0.4999996\n*,*,*,cold,0.5\n"), "fine");
  EXPECT_EQ(Fault(head + "*,*,*,flu,0\n", "", "", "normalise = true\n"),
            "prior.csv:2: the probabilities of these people are all 0\n"
            "  Give them probabilities that sum to 1.");
  EXPECT_EQ(Fault(head + "*,*,*,flu,1.5\n"),
            "prior.csv:2, column \"probability\": a number from 0 to 1 was expected\n"
            "  Write a probability, with a point before its decimals: 0.25.");
  EXPECT_EQ(Fault(head + "*,*,*,flu,1\n*,f,*,flu,1\n*,*,*,flu,0\n"),
            "prior.csv:4: the value stands on line 2 already, for the same people\n"
            "  Keep one of the two lines.");
  EXPECT_EQ(Fault(head + "*,x,*,flu,1\n"),
            "prior.csv:2, column \"sex\": the taxonomy of the column has no such label\n"
            "  Write a value or group of the taxonomy as it stands there, or *.");
  EXPECT_EQ(
      Fault(head + "young,*,*,flu,1\n"),
      "prior.csv:2, column \"age\": a number, a range such as [20,30) or * was expected\n"
      "  Write a number, a range with its lower end and without its upper end, such as [20,30), "
      "or * for everybody.");
  EXPECT_EQ(
      Fault(head + "\"[30,20)\",*,*,flu,1\n"),
      "prior.csv:2, column \"age\": a number, a range such as [20,30) or * was expected\n"
      "  Write a number, a range with its lower end and without its upper end, such as [20,30), "
      "or * for everybody.");
  EXPECT_EQ(Fault(head + ",*,*,flu,1\n"),
            "prior.csv:2, column \"age\": the cell is empty\n  Write * for everybody.");
  EXPECT_EQ(Fault(head + "*,*,*,,1\n"),
            "prior.csv:2, column \"illness\": the cell is empty\n  Every cell has a value.");
  EXPECT_EQ(Fault(head + "[20,30),*,*,flu,1\n"),
            "prior.csv:2: 6 fields, where the header has 5\n"
            "  Put fields with a comma into quotes, for example \"[20,30)\".");
  EXPECT_EQ(Fault("age,sx,illness,probability\n*,*,flu,1\n"),
            "prior.csv:1, column \"sx\": a column that does not belong here\n"
            "  The columns are: age, sex, town, illness, probability.");
  EXPECT_EQ(Fault("age,illness\n*,flu\n"),
            "prior.csv:1: the column \"probability\" is missing\n"
            "  The columns are: age, sex, town, illness, probability.");
  EXPECT_EQ(Fault("age,age,illness,probability\n*,*,flu,1\n"),
            "prior.csv:1, column \"age\": the column stands twice");
  EXPECT_EQ(Fault(head),
            "prior.csv: a header and at least one line were expected\n"
            "  The columns are: age, sex, town, illness, probability.");
}

TEST_F(SimilarityKnowledgeTest, SaysWhichPeopleAPriorDoesNotFit) {
  Write("prior.csv", std::string(kPriorHeader) + "*,f,*,flu,1\n\"[20,30)\",*,*,flu,1\n");
  const io::Policy policy = Policy("prior = \"prior.csv\"\n");
  Background background = Know(policy).value();
  const binding::GroupedTable nobody = Load(policy, "a,20,m,X,flu\nb,50,m,X,flu\n");
  EXPECT_EQ(Short(Take(background, nobody).error()),
            "t.csv:3: no line of the prior prior.csv fits this row\n"
            "  Add a kind with * in every column for everybody whom no other fits.");
  const binding::GroupedTable other = Load(policy, "a,20,m,X,flu\nb,20,m,X,gout\n");
  EXPECT_EQ(Short(Take(background, other).error()),
            "t.csv:3, column \"illness\": the prior prior.csv does not name this value\n"
            "  Add it to the prior (capitals count), or write normalise = true into [knowledge]: "
            "then it is possible, but hardly expected.");
  EXPECT_EQ(background.values().size(), 1u);

  Write("prior.csv", std::string(kPriorHeader) + "*,f,*,flu,1\n*,*,X,flu,1\n*,*,Y,flu,1\n");
  Background torn = Know(policy).value();
  const binding::GroupedTable both = Load(policy, "a,20,m,X,flu\nb,50,f,X,flu\n");
  EXPECT_EQ(Short(Take(torn, both).error()),
            "prior.csv:3: this kind of people and the one on line 2 fit t.csv:3 equally well\n"
            "  Add a kind for people whom both fit, or make one of them narrower.");
}

TEST_F(SimilarityKnowledgeTest, AValueThatThePriorLacksMayBeMadePossible) {
  Write("prior.csv", "illness,probability\nflu,2e-1\ncold,0.2\n");
  Write("next.csv", "from,to,probability\nflu,cold,1\n");
  const io::Policy policy =
      Policy("prior = \"prior.csv\"\ntransition = \"next.csv\"\nnormalise = true\n");
  Background background = Know(policy).value();
  EXPECT_THAT(background.knowledge().prior[0], ElementsAre(0.5, 0.5));
  const binding::GroupedTable table = Load(policy, "a,20,m,X,gout\nb,50,f,X,flu\n");
  EXPECT_THAT(Take(background, table).value().value, ElementsAre(2, 0));
  EXPECT_EQ(background.knowledge().prior[0][2], 1e-6);
  EXPECT_EQ(background.knowledge().transition.after.at({0})[2], 1e-6);
  EXPECT_TRUE(sim::Validate(background.knowledge()));
}

TEST_F(SimilarityKnowledgeTest, ReadsTransitionsOfSeveralLengths) {
  Write("next.csv",
        "from2,from1,to,probability\n,flu,cold,1\nflu,cold,flu,0.25\nflu,cold,gout,0.75\n");
  const io::Policy policy = Policy("transition = \"next.csv\"\nsteps = 2\n");
  const Background background = Know(policy).value();
  const sim::Knowledge& knowledge = background.knowledge();
  EXPECT_THAT(background.values(),
              ElementsAre(binding::ValueTexts{"flu"}, binding::ValueTexts{"cold"},
                          binding::ValueTexts{"gout"}));
  EXPECT_EQ(knowledge.transition.steps, 2u);
  EXPECT_THAT(knowledge.transition.after.at({0}), ElementsAre(0, 1, 0));
  EXPECT_THAT(knowledge.transition.after.at({0, 1}), ElementsAre(0.25, 0, 0.75));
  EXPECT_EQ(knowledge.transition.after.size(), 2u);
}

TEST_F(SimilarityKnowledgeTest, SaysWhatIsWrongWithTransitions) {
  const std::string head = "from,to,probability\n";
  EXPECT_EQ(Fault("", head + "flu,cold,0.5\nflu,flu,0.4\n"),
            "next.csv:2: the probabilities of what follows here sum to 0.9 instead of 1\n"
            "  Correct them (this is their first line), or write normalise = true into [knowledge] "
            "to have them scaled.");
  EXPECT_EQ(Fault("", head + "flu,cold,0.5\nflu,cold,0.5\n"),
            "next.csv:3: the same values stand on line 2 already\n  Keep one of the two lines.");
  EXPECT_EQ(Fault("", head + ",cold,1\n"),
            "next.csv:2, column \"from\": the cell is empty\n  Every cell has a value.");
  EXPECT_EQ(Fault("", "from2,from1,to,probability\nflu,cold,flu,1\n"),
            "next.csv:2: what follows 2 values, where [knowledge] has steps = 1\n"
            "  Write steps = 2 into [knowledge].");
  EXPECT_EQ(Fault("", "from2,from1,to,probability\nflu,,flu,1\n", "", "steps = 2\n"),
            "next.csv:2, column \"from1\": the cell is empty\n  Every cell has a value.");
  EXPECT_EQ(Fault("", "from3,from2,from1,to,probability\nflu,,flu,flu,1\n", "", "steps = 3\n"),
            "next.csv:2, column \"from2\": the cell is empty\n  Every cell has a value.");
  EXPECT_EQ(Fault("", "from3,from1,to,probability\nflu,flu,flu,1\n"),
            "next.csv:1: the column \"from2\" is missing\n"
            "  One value before: from. Two: from2 (the older one) and from1; and so on.");
  EXPECT_EQ(Fault("", "from,from1,to,probability\nflu,flu,flu,1\n"),
            "next.csv:1: both \"from\" and \"from1\"\n"
            "  One value before: from. Two: from2 (the older one) and from1; and so on.");
  EXPECT_EQ(
      Fault("", "to,probability\nflu,1\n"),
      "next.csv:1: the column \"from\" is missing\n  The columns are: from, to, probability.");
  EXPECT_EQ(
      Fault("illness,probability\nflu,1\n", head + "flu,flu,1\nFlu,flu,1\n"),
      "next.csv:3, column \"from\": the prior does not name this value\n"
      "  Correct it (capitals count), or add it to the prior, with probability 0 where nobody "
      "begins with it.");
}

TEST_F(SimilarityKnowledgeTest, ReadsCompromisedRecords) {
  Write("known.csv",
        "id,illness,release,confidence\na,flu,1,0.9\nb,cold,1,1\na,cold,2,0.5\nz,flu,1,0.3\n");
  const io::Policy policy = Policy("compromised = \"known.csv\"\n");
  Background background = Know(policy).value();
  const binding::GroupedTable table = Load(policy, "a,20,m,X,flu\nb,50,f,X,cold\n");
  ASSERT_TRUE(Take(background, table));
  const auto number_of = [](std::string_view id) -> std::optional<sim::Person> {
    return id == "z" ? std::nullopt : std::optional<sim::Person>(id == "a" ? 0 : 1);
  };
  const auto first = background.Statements(1, number_of).value();
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(first[0].person, 0u);
  EXPECT_EQ(first[0].value, 0u);
  EXPECT_EQ(first[0].release, 0u);
  EXPECT_EQ(first[0].confidence, 0.9);
  EXPECT_EQ(first[1].person, 1u);
  EXPECT_EQ(first[1].value, 1u);
  EXPECT_EQ(first[1].confidence, 1);
  EXPECT_EQ(background.Statements(2, number_of).value().size(), 1u);
  EXPECT_TRUE(background.Statements(3, number_of).value().empty());
}

TEST_F(SimilarityKnowledgeTest, SaysWhatIsWrongWithCompromisedRecords) {
  const std::string head = "id,illness,release,confidence\n";
  EXPECT_EQ(Fault("", "", head + "a,flu,0,1\n"),
            "known.csv:2, column \"release\": a whole number from 1 on was expected\n"
            "  Releases count from 1.");
  EXPECT_EQ(Fault("", "", head + "a,flu,1,90%\n"),
            "known.csv:2, column \"confidence\": a number from 0 to 1 was expected\n"
            "  Write a probability, with a point before its decimals: 0.25.");
  EXPECT_EQ(Fault("", "", head + "a,flu,1,0.5\na,flu,2,0.5\na,flu,1,0.6\n"),
            "known.csv:4: line 2 speaks of the same person, release and value\n"
            "  Keep one of the two lines.");
  EXPECT_EQ(
      Fault("", "", head + "a,flu,1,1\na,cold,1,0.5\na,gout,1,1\n"),
      "known.csv:4: line 2 is certain of another value of the same person in the same "
      "release\n  A person has one value in a release: lower a confidence, or remove a line.");
  EXPECT_EQ(Fault("", "", "id,illness,time,confidence\na,flu,1,1\n"),
            "known.csv:1, column \"time\": a column that does not belong here\n"
            "  The columns are: id, illness, release, confidence.");
  Write("known.csv", head + "a,gout,1,0.5\n");
  const io::Policy policy = Policy("compromised = \"known.csv\"\n");
  Background background = Know(policy).value();
  const binding::GroupedTable table = Load(policy, "a,20,m,X,flu\n");
  ASSERT_TRUE(Take(background, table));
  const auto statements =
      background.Statements(1, [](std::string_view) { return std::optional<sim::Person>(0); });
  EXPECT_EQ(Short(statements.error()),
            "known.csv:2: neither the tables so far nor the files of knowledge have this value\n"
            "  Correct it (capitals count), or remove the line.");
}

// Three tables, counted by hand.
constexpr char kFirst[] = "a,20,f,X,flu\nb,40,f,X,flu\nc,20,m,X,cold\nd,40,m,X,flu\n";
constexpr char kSecond[] = "a,20,f,X,cold\nb,40,f,X,flu\nc,20,m,X,cold\ne,40,m,X,gout\n";
constexpr char kThird[] = "a,20,f,X,gout\nb,40,f,X,cold\nd,40,m,X,flu\n";

TEST_F(SimilarityKnowledgeTest, LearnsFrequenciesAndSequences) {
  const io::Policy policy = Policy("prior = \"learned\"\ntransition = \"learned\"\nsteps = 2\n",
                                   ", breakpoints = [[0, 10, 30, 50], [0, 30, 50]]");
  Background background = Know(policy).value();
  const binding::GroupedTable first = Load(policy, kFirst, "t1.csv");
  const Background::CodedRows one = Take(background, first).value();
  EXPECT_THAT(one.kind, ElementsAre(0, 1, 2, 3));
  // Shares: flu 3/4, cold 1/4. (1 + 3/4) / 2 for the young woman with flu.
  EXPECT_THAT(background.knowledge().prior[0], ElementsAre(0.875, 0.125));
  EXPECT_THAT(background.knowledge().prior[2], ElementsAre(0.375, 0.625));
  EXPECT_TRUE(background.knowledge().transition.after.empty());

  const binding::GroupedTable second = Load(policy, kSecond, "t2.csv");
  EXPECT_THAT(Take(background, second).value().kind, ElementsAre(0, 1, 2, 3));
  const binding::GroupedTable third = Load(policy, kThird, "t3.csv");
  EXPECT_THAT(Take(background, third).value().kind, ElementsAre(0, 1, 3));
  // 11 rows: flu 5, cold 4, gout 2. Young women: flu, cold, gout once each.
  const double flu = 5.0 / 11, cold = 4.0 / 11, gout = 2.0 / 11;
  const sim::Knowledge& knowledge = background.knowledge();
  EXPECT_TRUE(sim::Validate(knowledge));
  const auto near = [](double p) { return ::testing::DoubleNear(p, 1e-15); };
  EXPECT_THAT(knowledge.prior[0],
              ElementsAre(near((1 + flu) / 4), near((1 + cold) / 4), near((1 + gout) / 4)));
  // After flu: cold (a), flu (b), cold (b). After cold: cold (c), gout (a). d was away: nothing.
  const auto& after = knowledge.transition.after;
  const sim::Distribution& after_cold = after.at({1});
  EXPECT_THAT(after.at({0}),
              ElementsAre(near((1 + flu) / 4), near((2 + cold) / 4), near(gout / 4)));
  EXPECT_THAT(after_cold, ElementsAre(near(flu / 3), near((1 + cold) / 3), near((1 + gout) / 3)));
  EXPECT_THAT(after.at({2}), ElementsAre(near(flu), near(cold), near(gout)));
  // After flu, cold: gout (a).
  EXPECT_THAT(after.at({0, 1}), ElementsAre(near(after_cold[0] / 2), near(after_cold[1] / 2),
                                            near((1 + after_cold[2]) / 2)));
  EXPECT_EQ(after.size(), 5u);  // flu, cold, gout; flu cold; flu flu
}

TEST_F(SimilarityKnowledgeTest, NumbersWithoutBreakpointsAreCutIntoFifthsOfTheFirstTable) {
  const io::Policy policy = Policy("prior = \"learned\"\n");
  Background background = Know(policy).value();
  std::string rows;
  for (int i = 0; i < 10; ++i) rows += fmt::format("p{},{},f,X,flu\n", i, 10 * i);
  const binding::GroupedTable first = Load(policy, rows);
  EXPECT_THAT(Take(background, first).value().kind, ElementsAre(0, 0, 1, 1, 2, 2, 3, 3, 4, 4));
  const binding::GroupedTable second =
      Load(policy, "q,-5,f,X,flu\nr,1000,f,X,flu\ns,39.9,f,X,flu\n");
  EXPECT_THAT(Take(background, second).value().kind, ElementsAre(0, 4, 1));
}

TEST_F(SimilarityKnowledgeTest, WhatIsSavedIsAllThatIsNeeded) {
  for (const char* knowledge :
       {"", "prior = \"learned\"\ntransition = \"learned\"\nsteps = 2\n",
        "prior = \"prior.csv\"\ntransition = \"learned\"\nnormalise = true\n"}) {
    Write("prior.csv", "sex,illness,probability\nf,flu,0.5\nf,cold,0.5\nm,flu,1\n");
    const io::Policy policy = Policy(knowledge);
    Background straight = Know(policy).value();
    PersonNumbers people;
    std::string saved;
    int number = 0;
    for (const char* rows : {kFirst, kSecond, kThird}) {
      const binding::GroupedTable table = Load(policy, rows, fmt::format("t{}.csv", ++number));
      const auto person = people.Of(table);
      Background restored = Know(policy).value();
      if (!saved.empty()) {
        const Status status = restored.Restore(saved);
        ASSERT_TRUE(status) << status.error().ToString();
        EXPECT_EQ(restored.knowledge().prior, straight.knowledge().prior);
      }
      const auto expected = straight.Take(table, person).value();
      const auto taken = restored.Take(table, person).value();
      EXPECT_EQ(taken.value, expected.value);
      EXPECT_EQ(taken.kind, expected.kind);
      EXPECT_EQ(restored.values(), straight.values());
      EXPECT_EQ(restored.knowledge().prior, straight.knowledge().prior);
      EXPECT_EQ(restored.knowledge().transition.after, straight.knowledge().transition.after);
      EXPECT_EQ(restored.Save(), straight.Save());
      saved = straight.Save();
    }
    for (std::size_t size = 0; size < saved.size(); ++size) {
      Background cut = Know(policy).value();
      const Status status = cut.Restore(std::string_view(saved).substr(0, size));
      ASSERT_FALSE(status) << size;
      EXPECT_EQ(status.error().code, ErrorCode::kMachine);
    }
  }
}

// One kind of people, of whom so many had the only value there is.
std::string LearnedFrom(std::uint64_t people) {
  using Texts = std::vector<std::string>;
  binding::StateWriter out;
  const auto texts = [&](const Texts& list) {
    out.Each(list, [&](const std::string& text) { out.Text(text); });
  };
  const auto numbers = [&](const std::vector<std::uint64_t>& list) {
    out.Each(list, [&](std::uint64_t number) { out.Number(number); });
  };
  out.Number(std::uint32_t{1});
  out.Each(std::vector<Texts>{{"flu"}}, texts);
  out.Number(std::uint8_t{1});
  out.Number(std::uint32_t{1});                                   // tables
  out.Each(std::vector<std::vector<std::uint64_t>>(3), numbers);  // bounds
  out.Each(std::vector<Texts>{{"*", "f", "X"}}, texts);           // kinds
  out.Each(std::vector<std::vector<std::uint64_t>>{{people}}, numbers);
  numbers({});  // sequences
  numbers({});  // recent values
  return out.Take();
}

// Frequencies among nobody would be no numbers.
TEST_F(SimilarityKnowledgeTest, WhatWasLearnedFromNobodyIsNotRestored) {
  const io::Policy policy = Policy("prior = \"learned\"\n");
  EXPECT_TRUE(Know(policy).value().Restore(LearnedFrom(1)));
  const Status nobody = Know(policy).value().Restore(LearnedFrom(0));
  ASSERT_FALSE(nobody);
  EXPECT_EQ(nobody.error().code, ErrorCode::kMachine);
}

TEST_F(SimilarityKnowledgeTest, IsCheckedWithTables) {
  Write("prior.csv", "illness,probability\nflu,0.5\ncold,0.5\n");
  Write("known.csv", "id,illness,release,confidence\na,gout,2,0.5\n");
  const io::Policy policy = Policy("prior = \"prior.csv\"\ncompromised = \"known.csv\"\n");
  const binding::GroupedTable first = Load(policy, kFirst, "t1.csv");
  const binding::GroupedTable second = Load(policy, kSecond, "t2.csv");
  const Promise promise = PromiseOf<Promise>(policy);
  const std::vector<const binding::GroupedTable*> tables = {&first, &second};
  const KnowledgeCheck check = CheckKnowledge(policy, promise, tables, context());
  EXPECT_THAT(check.notes, ElementsAre(Path("prior.csv") + ": 1 kind of people, 2 values",
                                       "transition beliefs: everything is equally likely",
                                       Path("known.csv") + ": 1 compromised record"));
  ASSERT_EQ(check.problems.size(), 2u);
  EXPECT_THAT(check.problems[0].ToString(), HasSubstr("t2.csv:5, column \"illness\""));
  EXPECT_THAT(check.problems[1].ToString(), HasSubstr("known.csv:2"));
  EXPECT_FALSE(CheckKnowledge(policy, promise, {}, context()).notes.empty());
}

}  // namespace
}  // namespace reissue::models::similarity::service
