import Dispatch
import Foundation
import Testing

@testable import AudioIO

@Suite("The budget of cores", .tags(.threaded), .timeLimit(.minutes(30)))
struct CoreBudgetTests {
  /// The owner of offered work.
  private final class Owner: Sendable {}

  private let owner = Owner()

  @Test func offersWaitForAFreeCore() {
    let budget = CoreBudget(cores: 2)
    let began = DispatchSemaphore(value: 0)
    budget.occupy()
    budget.occupy()
    budget.offer(by: owner) { began.signal() }
    #expect(began.wait(timeout: .now() + .milliseconds(50)) == .timedOut)
    budget.release()
    began.wait()
  }

  @Test func offersBeginInOrderOnePerCore() {
    let budget = CoreBudget(cores: 1)
    let order = Locked<[Int]>([])
    let done = DispatchSemaphore(value: 0)
    budget.occupy()
    for number in 0..<20 {
      budget.offer(by: owner) {
        order.withLock { $0.append(number) }
        done.signal()
      }
    }
    budget.release()
    for _ in 0..<20 { done.wait() }
    #expect(order.withLock { $0 } == Array(0..<20))
  }

  @Test func offersNeverUseMoreThanTheCores() {
    let budget = CoreBudget(cores: 3)
    let counts = Locked((now: 0, most: 0))
    let done = DispatchSemaphore(value: 0)
    budget.occupy()
    for _ in 0..<50 {
      budget.offer(by: owner) {
        counts.withLock { counts in
          counts.now += 1
          counts.most = max(counts.most, counts.now)
        }
        usleep(200)
        counts.withLock { $0.now -= 1 }
        done.signal()
      }
    }
    for _ in 0..<50 { done.wait() }
    #expect(counts.withLock { $0.most } <= 2)
  }

  @Test func withdrawnOffersNeverBegin() {
    let budget = CoreBudget(cores: 1)
    let other = Owner()
    let done = DispatchSemaphore(value: 0)
    budget.occupy()
    budget.offer(by: owner) { Issue.record("it was withdrawn") }
    budget.offer(by: other) { done.signal() }
    #expect(budget.hasOffers(by: owner) && budget.hasOffers(by: other))
    #expect(budget.withdrawOffers(by: owner))
    #expect(!budget.withdrawOffers(by: owner))
    #expect(!budget.hasOffers(by: owner) && budget.hasOffers(by: other))
    budget.release()
    done.wait()
    #expect(!budget.hasOffers(by: other))
    #expect(!budget.withdrawOffers(by: other))
  }

  @Test func occupyingABusyCoreOverdraws() {
    let budget = CoreBudget(cores: 1)
    budget.occupy()
    #expect(!budget.isOverdrawn)
    budget.occupy()
    #expect(budget.isOverdrawn)
    budget.release()
    #expect(!budget.isOverdrawn)
  }
}
